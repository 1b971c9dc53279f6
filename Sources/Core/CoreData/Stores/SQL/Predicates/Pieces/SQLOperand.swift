/// The SQL of an expression: a side of a comparison or an argument of a function.
package enum SQLOperand {
  /// SQL, and the kind of its values.
  case expression(SQLFragment, Kind)
  /// A value of the predicate, whose kind depends on the other side.
  case constant(Any?)
  /// A list in braces.
  case list([SQLOperand])
  /// A query with one column.
  case rows(SQLFragment, Kind)

  /// Kinds of values: those of one kind are comparable.
  package enum Kind: Equatable, Sendable {
    case number, text, date, data, uuid, uri
    /// Decimals: stored as integers where they are whole, computed as doubles.
    case decimal
    /// The key of an object, by its entity tree.
    case object(rootNumber: Int)
    /// The entity number of an object.
    case entity
    /// A value whose contents SQL cannot read; it compares with nil alone.
    case opaque(String)
  }

  var isNilConstant: Bool {
    if case .constant(let value) = self { TypedValue.isNull(value) } else { false }
  }

  /// The elements of a list or a constant collection; nil for other operands.
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

  /// The kind of a constant by itself; nil for nil, collections, and values that no column holds.
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

  /// Whether values of the kind have an order.
  var isOrdered: Bool {
    switch self {
    case .number, .decimal, .text, .date, .data, .uuid: true
    default: false
    }
  }
}
