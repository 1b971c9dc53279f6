import CoreData

/// The type of a column.
///
///     attribute                  column
///     Integer 16, 32, 64         bigint
///     Boolean                    boolean
///     Double, Float              double precision (no number is nil)
///     Date                       timestamptz (to the microsecond)
///     Decimal                    numeric
///     String, URI                text COLLATE "C": byte by byte, as SQLite and memory compare
///     UUID                       uuid
///     Binary, transformable      bytea
///     to-one relationship        bigint, the key
enum ColumnType {
  case integer, boolean, real, timestamp, decimal, text, uri, uuid, transformable, data, reference

  init(_ attribute: NSAttributeDescription) throws {
    switch attribute.attributeType {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: self = .integer
    case .booleanAttributeType: self = .boolean
    case .doubleAttributeType, .floatAttributeType: self = .real
    case .dateAttributeType: self = .timestamp
    case .decimalAttributeType: self = .decimal
    case .stringAttributeType: self = .text
    case .URIAttributeType: self = .uri
    case .UUIDAttributeType: self = .uuid
    case .transformableAttributeType: self = .transformable
    case .binaryDataAttributeType: self = .data
    default:
      throw CoreDataError.unsupported(
        "An attribute of the type of “\(attribute.name)” of the entity "
          + "“\(attribute.entity.name ?? "")” in a store of type PostgreSQL")
    }
  }

  var declaration: String {
    switch self {
    case .integer, .reference: "bigint"
    case .boolean: "boolean"
    case .real: "double precision"
    case .timestamp: "timestamptz"
    case .decimal: "numeric"
    case .text, .uri: "text COLLATE \"C\""
    case .uuid: "uuid"
    case .transformable, .data: "bytea"
    }
  }

  /// The type of the column's values in parameters.
  var parameterType: PostgreSQLType {
    switch self {
    case .integer, .reference: .bigint
    case .boolean: .boolean
    case .real: .double
    case .timestamp: .timestamp
    case .decimal: .numeric
    case .text, .uri: .text
    case .uuid: .uuid
    case .transformable, .data: .bytes
    }
  }

  /// The kind under which `Stores/SQL` knows the type.
  var mappingKind: ColumnMapping.Kind {
    switch self {
    case .integer, .boolean: .integer
    case .real, .timestamp: .real
    case .decimal: .decimal
    case .text: .text
    case .uri: .uri
    case .uuid: .uuid
    case .transformable: .transformable
    case .data: .data
    case .reference: .toOne
    }
  }
}
