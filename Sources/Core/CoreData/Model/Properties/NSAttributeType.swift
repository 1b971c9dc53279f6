/// The type of an attribute's values.
///
/// The raw values are those of model archives and of version hashes.
///
/// Source: developer.apple.com/documentation/coredata/nsattributetype
public enum NSAttributeType: UInt, Sendable, CaseIterable {
  case undefinedAttributeType = 0
  case integer16AttributeType = 100
  case integer32AttributeType = 200
  case integer64AttributeType = 300
  case decimalAttributeType = 400
  case doubleAttributeType = 500
  case floatAttributeType = 600
  case stringAttributeType = 700
  case booleanAttributeType = 800
  case dateAttributeType = 900
  case binaryDataAttributeType = 1000
  case UUIDAttributeType = 1100
  case URIAttributeType = 1200
  case transformableAttributeType = 1800
  case objectIDAttributeType = 2000
  case compositeAttributeType = 2100
}

extension NSAttributeType {
  /// The name in Xcode and in model files, such as `Integer 64`.
  package var modelName: String {
    ModelAttributeType.allCases.first { $0.number == rawValue }?.rawValue ?? "\(self)"
  }

  /// The Objective-C class of the values, as named in model archives; nil if the type does not
  /// determine it.
  package var valueClassName: String? {
    switch self {
    case .undefinedAttributeType, .transformableAttributeType: nil
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
      .doubleAttributeType, .floatAttributeType, .booleanAttributeType:
      "NSNumber"
    case .decimalAttributeType: "NSDecimalNumber"
    case .stringAttributeType: "NSString"
    case .dateAttributeType: "NSDate"
    case .binaryDataAttributeType: "NSData"
    case .UUIDAttributeType: "NSUUID"
    case .URIAttributeType: "NSURL"
    case .objectIDAttributeType: "NSManagedObjectID"
    case .compositeAttributeType: "NSDictionary"
    }
  }
}
