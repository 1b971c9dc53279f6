import KeyValueCoding

extension SQLPredicateBuilder {
  /// The property of a value that is not an object, as key-value coding returns it: `title.length`.
  ///
  /// - Parameter keys: the remaining keys of the path.
  func property(_ keys: ArraySlice<String>, of operand: SQLOperand) throws -> SQLOperand {
    guard let key = keys.first else { return operand }
    guard case .expression(let sql, let kind) = operand else {
      throw SQLGeneration.unsupported("the key “\(key)” of a value that is no object")
    }
    if case .opaque(let name) = kind {
      throw SQLGeneration.unsupported("the key “\(key)” of the contents of “\(name)”")
    }
    guard let owner = ValueProperty.Owner(kind), let property = ValueProperty.named(key, of: owner)
    else { throw SQLGeneration.unsupported("the key “\(key)” of \(kind.words)") }
    try requireOwnFunctions()
    let call: SQLFragment =
      "\(raw: SQLFunction.property)(\(sql), \(raw: String(kind.code)), \(raw: "'\(property.key)'"))"
    let result: SQLOperand.Kind = property.result == .text ? .text : .number
    return try self.property(keys.dropFirst(), of: .expression(call, result))
  }
}

extension ValueProperty.Owner {
  init?(_ kind: SQLOperand.Kind) {
    switch kind {
    case .text: self = .string
    case .number, .decimal: self = .number
    case .date: self = .date
    case .data: self = .data
    case .uuid: self = .uuid
    case .uri: self = .url
    case .object, .entity, .opaque: return nil
    }
  }
}

extension SQLOperand.Kind {
  /// The description of the kind in an error.
  var words: String {
    switch self {
    case .text: "a string"
    case .number, .decimal: "a number"
    case .date: "a date"
    case .data: "data"
    case .uuid: "a UUID"
    case .uri: "a URL"
    case .object: "an object"
    case .entity: "an entity"
    case .opaque(let name): "“\(name)”"
    }
  }
}
