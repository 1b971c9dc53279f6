/// A side of a comparison.
enum SQLOperand {
  /// SQL with the kind of values that it gives.
  case expression(SQLFragment, Kind)
  /// A value of the predicate, not yet of a kind: the other side decides.
  case constant(Any?)
  /// A list in braces.
  case list([SQLOperand])

  /// What can be compared with what.
  enum Kind: Equatable {
    case number, text, date, data, uuid, uri
    /// The key of an object of a tree of entities.
    case object(rootNumber: Int)
    /// Values that SQL cannot look into; only nil can be asked for.
    case opaque(String)
  }

  var isNil: Bool {
    if case .constant(let value) = self { TypedValue(value).isNull } else { false }
  }
}

extension SQLOperand.Kind {
  init(_ attribute: NSAttributeDescription) {
    switch attribute.attributeType {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
      .booleanAttributeType, .doubleAttributeType, .floatAttributeType, .decimalAttributeType:
      self = .number
    case .stringAttributeType: self = .text
    case .dateAttributeType: self = .date
    case .UUIDAttributeType: self = .uuid
    case .URIAttributeType: self = .uri
    case .binaryDataAttributeType where !attribute.allowsExternalBinaryDataStorage: self = .data
    default: self = .opaque(attribute.name)
    }
  }

  /// Whether `<` means something.
  var isOrdered: Bool {
    switch self {
    case .number, .text, .date: true
    default: false
    }
  }
}
