/// The passes that add the columns of attributes to a table.
///
///     attribute type                declared as   stored as
///     Integer 16, 32, 64, Boolean   INTEGER       integer
///     Date                          TIMESTAMP     real
///     Double, Float                 FLOAT         real
///     Decimal                       DECIMAL       real or integer
///     String                        VARCHAR       text
///     URI                           VARCHAR       text, the absolute string
///     UUID                          BLOB          its 16 bytes
///     transformable                 BLOB          the transformer's data
///     Binary                        BLOB          the bytes, or marked for external storage
struct ColumnPass {
  let types: Set<NSAttributeType>
  let declaration: String
  let kind: ColumnMapping.Kind

  static let integers = ColumnPass(
    types: [
      .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
      .booleanAttributeType,
    ], declaration: "INTEGER", kind: .integer)

  static let afterIntegers = [
    ColumnPass(
      types: [.dateAttributeType, .doubleAttributeType, .floatAttributeType],
      declaration: "FLOAT", kind: .real),
    ColumnPass(types: [.decimalAttributeType], declaration: "DECIMAL", kind: .decimal),
    ColumnPass(types: [.stringAttributeType], declaration: "VARCHAR", kind: .text),
    ColumnPass(types: [.URIAttributeType], declaration: "VARCHAR", kind: .uri),
    ColumnPass(types: [.UUIDAttributeType], declaration: "BLOB", kind: .uuid),
    ColumnPass(types: [.transformableAttributeType], declaration: "BLOB", kind: .transformable),
    ColumnPass(types: [.binaryDataAttributeType], declaration: "BLOB", kind: .data),
  ]

  static let all = [integers] + afterIntegers

  func sqlType(of type: NSAttributeType) -> String {
    type == .dateAttributeType ? "TIMESTAMP" : declaration
  }
}
