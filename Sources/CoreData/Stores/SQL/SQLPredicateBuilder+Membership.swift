extension SQLPredicateBuilder {
  /// From here on a list goes as one parameter, so that neither their number nor the number of texts of
  /// statements grows without bound.
  private static let listLimit = 64

  func isMember(
    _ element: SQLOperand, of collection: SQLOperand, _ comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    switch (element, collection) {
    case (.expression(let sql, let kind), .list(let elements)):
      return try isMember(sql, kind, constants(elements, comparison), comparison)
    case (.expression(let sql, let kind), .constant(let value)):
      if case .collection(let collection) = TypedValue(value) {
        return try isMember(sql, kind, collection.elements.map { $0 as Any? }, comparison)
      }
      return try match(collection, element, .contains, comparison)
    case (_, .expression(_, .text)):
      return try match(collection, element, .contains, comparison)
    case (.constant, _): return comparison.evaluate(with: nil) ? "1" : "0"
    default: throw SQLGeneration.unsupported("IN with these sides", in: comparison)
    }
  }

  private func constants(
    _ operands: [SQLOperand], _ comparison: NSComparisonPredicate
  ) throws -> [Any?] {
    try operands.map {
      guard case .constant(let value) = $0 else {
        throw SQLGeneration.unsupported("a list of anything but constants", in: comparison)
      }
      return value
    }
  }

  private func isMember(
    _ sql: SQLFragment, _ kind: SQLOperand.Kind, _ elements: [Any?],
    _ comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    if case .opaque(let name) = kind {
      throw SQLGeneration.unsupported("the contents of “\(name)”", in: comparison)
    }
    let values = elements.compactMap { element -> SQLValue? in
      guard case .value(let value) = SQLConstant(element, as: kind, context: context) else {
        return nil
      }
      return value
    }
    if values.isEmpty { return Self.never(sql) }
    if kind == .text, !comparison.options.foldsNothing {
      let calls = values.map { call(sql, SQLFragment($0), .equalTo, comparison.options) }
      return "(\(calls.joined(separator: " OR ")))"
    }
    return try isMember(sql, kind, values)
  }

  private func isMember(
    _ sql: SQLFragment, _ kind: SQLOperand.Kind, _ values: [SQLValue]
  ) throws -> SQLFragment {
    if values.count > Self.listLimit, let list = try Self.list(values) {
      let elements = context.dialect.elements(SQLFragment(.text(list)))
      return "\(sql) IN (\(elements))"
    }
    return "\(sql) IN (\(values.map { SQLFragment($0) }.joined(separator: ", ")))"
  }

  /// As JSON; nil for values that JSON does not have.
  private static func list(_ values: [SQLValue]) throws -> String? {
    var integers: [String] = []
    var texts: [String] = []
    for value in values {
      switch value {
      case .integer(let value): integers.append(String(value))
      case .text(let value): texts.append(value)
      default: return nil
      }
    }
    if texts.isEmpty { return "[\(integers.joined(separator: ","))]" }
    guard integers.isEmpty else { return nil }
    return String(decoding: try JSONEncoder().encode(texts), as: UTF8.self)
  }

  // MARK: - BETWEEN

  func isBetween(
    _ value: SQLOperand, _ bounds: SQLOperand, _ comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    guard case .expression(let sql, let kind) = value, kind.isOrdered,
      comparison.options.foldsNothing
    else { throw SQLGeneration.unsupported("BETWEEN with this left side", in: comparison) }
    let bounds = try self.bounds(bounds, comparison).map { try bound($0, kind, comparison) }
    return "(\(sql) BETWEEN \(bounds[0]) AND \(bounds[1]))"
  }

  private func bounds(
    _ operand: SQLOperand, _ comparison: NSComparisonPredicate
  ) throws -> [SQLOperand] {
    switch operand {
    case .list(let bounds) where bounds.count == 2: return bounds
    case .constant(let value):
      if case .collection(let collection) = TypedValue(value), collection.count == 2 {
        return collection.elements.map { .constant($0) }
      }
    default: break
    }
    throw SQLGeneration.unsupported("BETWEEN without two bounds", in: comparison)
  }

  private func bound(
    _ operand: SQLOperand, _ kind: SQLOperand.Kind, _ comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    switch operand {
    case .expression(let sql, kind): return sql
    case .constant(let value):
      switch SQLConstant(value, as: kind, context: context) {
      case .value(let value): return SQLFragment(value)
      case .null: return "NULL"
      case .unequal: break
      }
    default: break
    }
    throw SQLGeneration.unsupported("a bound of another kind", in: comparison)
  }
}
