import CoreData

/// The Swift types of properties, as Xcode generates them.
///
/// The "optional" box of a model does not change them: object types are always optional, scalars
/// never.
enum SwiftType {
  private static let scalars: [NSAttributeType: String] = [
    .integer16AttributeType: "Int16", .integer32AttributeType: "Int32",
    .integer64AttributeType: "Int64", .doubleAttributeType: "Double", .floatAttributeType: "Float",
    .booleanAttributeType: "Bool", .dateAttributeType: "TimeInterval",
  ]

  private static let objects: [NSAttributeType: String] = [
    .integer16AttributeType: "NSNumber", .integer32AttributeType: "NSNumber",
    .integer64AttributeType: "NSNumber", .doubleAttributeType: "NSNumber",
    .floatAttributeType: "NSNumber", .booleanAttributeType: "NSNumber",
    .decimalAttributeType: "NSDecimalNumber", .stringAttributeType: "String",
    .dateAttributeType: "Date", .binaryDataAttributeType: "Data", .UUIDAttributeType: "UUID",
    .URIAttributeType: "URL", .compositeAttributeType: "[String: Any]",
    .objectIDAttributeType: "NSManagedObjectID",
  ]

  static func type(of attribute: NSAttributeDescription) -> String {
    let type = attribute.attributeType
    if type == .transformableAttributeType {
      return (attribute.attributeValueClassName ?? "NSObject") + "?"
    }
    if attribute.usesScalarValueType, let scalar = scalars[type] { return scalar }
    return (objects[type] ?? "NSObject") + "?"
  }

  static func type(of relationship: NSRelationshipDescription) -> String {
    guard !relationship.isToMany else { return relationship.isOrdered ? "NSOrderedSet?" : "NSSet?" }
    return ClassName.swiftName(of: relationship.destinationEntity) + "?"
  }
}

/// The Swift names of entities' classes.
enum ClassName {
  /// The name of the entity's class without its module; `NSManagedObject` when it has none.
  static func swiftName(of entity: NSEntityDescription?) -> String {
    let name = entity?.managedObjectClassName ?? "NSManagedObject"
    return name.split(separator: ".").last.map(String.init) ?? "NSManagedObject"
  }
}
