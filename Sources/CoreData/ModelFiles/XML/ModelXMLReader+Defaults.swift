import Foundation

extension ModelXMLReader {
  /// The default value that a model file writes as text; dates are seconds since 2001.
  func defaultValue(
    of element: ModelElement, type: NSAttributeType, entity: String
  ) throws -> Any? {
    if type == .dateAttributeType {
      return try date(element["defaultDateTimeInterval"], in: element, entity: entity)
    }
    guard let text = element.attributes["defaultValueString"] else { return nil }
    if type == .stringAttributeType { return text }
    guard !text.isEmpty else { return nil }
    guard let value = value(of: text, type: type) else {
      throw error(
        element, entity: entity, property: element["name"],
        "the default value “\(text)” is not of type \(AttributeTypeNames.name(of: type))")
    }
    return value
  }

  /// A value of a type from its text, nil where the text does not fit or the type has no text.
  func value(of text: String, type: NSAttributeType) -> Any? {
    switch type {
    case .integer16AttributeType: (integer(text) as Int16?).map(NSNumber.init(value:))
    case .integer32AttributeType: (integer(text) as Int32?).map(NSNumber.init(value:))
    case .integer64AttributeType: (integer(text) as Int64?).map(NSNumber.init(value:))
    case .doubleAttributeType: Double(text).map(NSNumber.init(value:))
    case .floatAttributeType: Float(text).map(NSNumber.init(value:))
    case .decimalAttributeType: Decimal(string: text).map(NSDecimalNumber.init(decimal:))
    case .booleanAttributeType: boolean(text).map(NSNumber.init(value:))
    case .UUIDAttributeType: UUID(uuidString: text)
    case .URIAttributeType: URL(string: text)
    case .stringAttributeType: text
    default: nil
    }
  }

  /// Xcode keeps “0.0” where an attribute was of a type with decimals before.
  private func integer<Number: FixedWidthInteger>(_ text: String) -> Number? {
    Number(text) ?? Double(text).flatMap { Number(exactly: $0) }
  }

  private func boolean(_ text: String) -> Bool? {
    switch text.uppercased() {
    case "YES", "TRUE", "1": true
    case "NO", "FALSE", "0": false
    default: nil
    }
  }

  /// A date from seconds since the beginning of 2001.
  func date(_ text: String?, in element: ModelElement, entity: String) throws -> Date? {
    guard let text else { return nil }
    guard let seconds = Double(text) else {
      throw error(
        element, entity: entity, property: element["name"],
        "“\(text)” is not a date; expected seconds since the beginning of 2001")
    }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }
}
