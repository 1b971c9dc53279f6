import Foundation

/// The names of attribute types in model files.
package enum AttributeTypeNames {
  package static let types: [String: NSAttributeType] = [
    "Undefined": .undefinedAttributeType,
    "Integer 16": .integer16AttributeType,
    "Integer 32": .integer32AttributeType,
    "Integer 64": .integer64AttributeType,
    "Decimal": .decimalAttributeType,
    "Double": .doubleAttributeType,
    "Float": .floatAttributeType,
    "String": .stringAttributeType,
    "Boolean": .booleanAttributeType,
    "Date": .dateAttributeType,
    "Binary": .binaryDataAttributeType,
    "UUID": .UUIDAttributeType,
    "URI": .URIAttributeType,
    "Transformable": .transformableAttributeType,
    "ObjectID": .objectIDAttributeType,
    "Composite": .compositeAttributeType,
  ]

  /// The name of a type in model files.
  package static func name(of type: NSAttributeType) -> String {
    types.first { $0.value == type }?.key ?? "Undefined"
  }
}
