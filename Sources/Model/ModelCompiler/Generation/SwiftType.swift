import ModelDocuments

/// The Swift types of properties.
struct SwiftType {
  let flavour: CodeOptions.Flavour
  let names: ClassNames

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

  /// Swift's value types, and object types where Swift has no value type.
  private static let values = scalars.merging([.decimal: "Decimal", .date: "Date"]) { $1 }
    .merging(objects) { own, _ in own }

  /// Keys of an attribute's user info that name an enumeration, by SwiftGen's and mogenerator's
  /// conventions.
  static let rawTypeKeys = ["RawType", "attributeValueScalarType"]

  static func rawType(of property: ModelProperty) -> String? {
    rawTypeKeys.lazy.compactMap { property.userInfo[$0] }.first
  }

  func type(of property: ModelProperty) -> String {
    switch property.kind {
    case .attribute(let attribute):
      flavour == .idiomatic
        ? Self.idiomatic(property, attribute: attribute) : Self.standard(attribute)
    case .relationship(let relationship): type(of: relationship, isOptional: property.isOptional)
    case .fetched(let request):
      "[\(names.name(ofEntity: request.entityName))]" + (flavour == .idiomatic ? "" : "?")
    }
  }

  /// The type that Xcode generates. "Optional" in the model does not affect it: object types are
  /// always optional, scalars never.
  private static func standard(_ attribute: ModelAttribute) -> String {
    if attribute.type == .transformable { return (attribute.customClassName ?? "NSObject") + "?" }
    if attribute.usesScalarValueType, let scalar = scalars[attribute.type] { return scalar }
    return (objects[attribute.type] ?? "NSObject") + "?"
  }

  private static func idiomatic(_ property: ModelProperty, attribute: ModelAttribute) -> String {
    (rawType(of: property) ?? value(attribute)) + (property.isOptional ? "?" : "")
  }

  /// The type of an attribute's value, without optionality.
  static func value(_ attribute: ModelAttribute) -> String {
    switch attribute.type {
    case .transformable: attribute.customClassName ?? "NSObject"
    case .undefined: "Any"
    default: values[attribute.type] ?? "Any"
    }
  }

  private func type(of relationship: ModelRelationship, isOptional: Bool) -> String {
    let member = names.name(ofEntity: relationship.destination)
    switch (flavour == .idiomatic, relationship.isToMany, relationship.isOrdered) {
    case (true, true, true): return "[\(member)]"
    case (true, true, false): return "Set<\(member)>"
    case (true, false, _): return member + (isOptional ? "?" : "")
    case (false, true, true): return "NSOrderedSet?"
    case (false, true, false): return "NSSet?"
    case (false, false, _): return member + "?"
    }
  }
}
