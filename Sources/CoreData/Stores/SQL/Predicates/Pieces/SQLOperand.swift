/// What an expression is in SQL: a side of a comparison, an argument of a function.
package enum SQLOperand {
  /// SQL with the kind of values that it gives.
  case expression(SQLFragment, Kind)
  /// A value of the predicate, not yet of a kind: the other side decides.
  case constant(Any?)
  /// A list in braces.
  case list([SQLOperand])
  /// A query of one column.
  case rows(SQLFragment, Kind)

  /// What can be compared with what.
  package enum Kind: Equatable, Sendable {
    case number, text, date, data, uuid, uri
    /// Numbers that the column keeps as whole ones where they are; to be computed with as doubles.
    case decimal
    /// The key of an object of a tree of entities.
    case object(rootNumber: Int)
    /// The number of an object's entity.
    case entity
    /// Values that SQL cannot look into; only nil can be asked for.
    case opaque(String)
  }

  var isNilConstant: Bool {
    if case .constant(let value) = self { TypedValue.isNull(value) } else { false }
  }

  /// The elements of a list or of a constant collection; nil for what is none.
  var elements: [SQLOperand]? {
    switch self {
    case .list(let elements): return elements
    case .constant(let value):
      guard case .collection(let collection) = TypedValue(value) else { return nil }
      return collection.elements.map { .constant($0) }
    case .expression, .rows: return nil
    }
  }
}

extension SQLOperand.Kind {
  init(_ attribute: NSAttributeDescription) {
    switch attribute.attributeType {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
      .booleanAttributeType, .doubleAttributeType, .floatAttributeType:
      self = .number
    case .decimalAttributeType: self = .decimal
    case .stringAttributeType: self = .text
    case .dateAttributeType: self = .date
    case .UUIDAttributeType: self = .uuid
    case .URIAttributeType: self = .uri
    case .binaryDataAttributeType where !attribute.allowsExternalBinaryDataStorage: self = .data
    default: self = .opaque(attribute.name)
    }
  }

  /// The kind of a constant by itself; nil for nil, for collections and for what no column holds.
  init?(constant: Any?, context: SQLQueryContext) {
    switch TypedValue(constant) {
    case .integer, .double: self = .number
    case .decimal: self = .decimal
    case .string: self = .text
    case .date: self = .date
    case .data: self = .data
    case .uuid: self = .uuid
    case .hashable(let value) where value.base is URL: self = .uri
    case .object(is NSEntityDescription): self = .entity
    case .object(let object):
      guard let identity = context.identity(of: object) else { return nil }
      self = .object(rootNumber: identity.layout.rootNumber)
    default: return nil
    }
  }

  var isOpaque: Bool { if case .opaque = self { true } else { false } }

  var isNumber: Bool { self == .number || self == .decimal }

  func isComparable(with other: Self) -> Bool { self == other || isNumber && other.isNumber }

  /// Whether `<` means something.
  var isOrdered: Bool {
    switch self {
    case .number, .decimal, .text, .date, .data, .uuid: true
    default: false
    }
  }
}
