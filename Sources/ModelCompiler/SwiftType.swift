import ModelDocuments

/// The Swift types of attributes, as Xcode generates them.
///
/// The "optional" box of a model does not change them: object types are always optional, scalars
/// never.
enum SwiftType {
  private static let scalars: [ModelAttributeType: String] = [
    .integer16: "Int16", .integer32: "Int32", .integer64: "Int64", .double: "Double",
    .float: "Float", .boolean: "Bool", .date: "TimeInterval",
  ]

  private static let objects: [ModelAttributeType: String] = [
    .integer16: "NSNumber", .integer32: "NSNumber", .integer64: "NSNumber", .double: "NSNumber",
    .float: "NSNumber", .boolean: "NSNumber", .decimal: "NSDecimalNumber", .string: "String",
    .date: "Date", .binary: "Data", .uuid: "UUID", .uri: "URL", .composite: "[String: Any]",
    .objectID: "NSManagedObjectID",
  ]

  static func type(of attribute: ModelAttribute) -> String {
    if attribute.type == .transformable { return (attribute.customClassName ?? "NSObject") + "?" }
    if attribute.usesScalarValueType, let scalar = scalars[attribute.type] { return scalar }
    return (objects[attribute.type] ?? "NSObject") + "?"
  }
}

/// The Swift names of entities' classes.
enum ClassName {
  static let root = "NSManagedObject"

  /// The name of the entity's class without its module; `NSManagedObject` when it has none.
  static func swiftName(of entity: ModelEntity) -> String {
    entity.className.split(separator: ".").last.map(String.init) ?? root
  }

  static func swiftName(of entity: String?, in document: ModelDocument) -> String {
    document.entitiesByName[entity ?? ""].map(swiftName) ?? root
  }
}
