import Predicates

// IN, and CONTAINS with exchanged sides.
extension SQLPredicateBuilder {
  func isMember(
    _ element: SQLOperand, of collection: SQLOperand, comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    if element.isNilConstant || collection.isNilConstant { return .no }
    switch (element, collection) {
    case (.constant, .constant):
      return try constant(element, right: collection, type: .in, comparison: comparison)
    case (.expression(let sql, let kind), .rows(let rows, let other)):
      guard kind.isComparable(with: other) else { return never([sql]) }
      return isMember(sql, of: rows)
    case (.constant(let value), .rows(let rows, let kind)):
      let constant = SQLConstant(value, equalTo: kind, isOfMixedList: false, context: context)
      guard case .value(let value) = constant else { return .no }
      return "\(try context.dialect.constant(value, kind)) IN \(rows)"
    default: break
    }
    guard let elements = collection.elements else {
      return try match(collection, pattern: element, type: .contains, comparison: comparison)
    }
    guard case .expression(let sql, let kind) = element else {
      return try equalsOne(of: elements, element, comparison: comparison)
    }
    return try isMember(sql, kind: kind, elements: elements, comparison: comparison)
  }

  /// The condition that the value is among rows. SQL returns false for NULL if there are no rows.
  private func isMember(_ sql: SQLFragment, of rows: SQLFragment) -> SQLFragment {
    tellsUnknown ? "(\(sql) IN \(rows) OR (\(sql) IS NULL AND NULL))" : "\(sql) IN \(rows)"
  }

  /// The condition that the value is among the elements. Constants form one list; other elements
  /// are compared one by one.
  private func isMember(
    _ sql: SQLFragment, kind: SQLOperand.Kind, elements: [SQLOperand],
    comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    if case .opaque(let name) = kind {
      throw SQLGeneration.unsupported("the contents of “\(name)”", in: comparison)
    }
    var constants: [SQLValue] = []
    var others: [SQLOperand] = []
    for element in elements {
      guard case .constant(let value) = element else {
        others.append(element)
        continue
      }
      let constant = SQLConstant(
        value, equalTo: kind, isOfMixedList: comparison.rightExpression.isMixedList,
        context: context)
      if case .value(let value) = constant { constants.append(value) }
    }
    var conditions: [SQLFragment] = []
    if !constants.isEmpty {
      conditions.append(try isMember(sql, kind: kind, values: constants, comparison: comparison))
    }
    guard !others.isEmpty else { return conditions.first ?? never([sql]) }
    conditions.append(try equalsOne(of: others, .expression(sql, kind), comparison: comparison))
    return unknown(where: [sql], else: "(\(conditions.joined(separator: " OR ")))")
  }

  /// The condition that the operand equals one of the elements; nil elements equal nothing.
  private func equalsOne(
    of elements: [SQLOperand], _ operand: SQLOperand, comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    let conditions = try separately {
      try elements.filter { !$0.isNilConstant }.map { element -> SQLFragment in
        let equality = try asMembership {
          try compareByOrder(operand, right: element, type: .equalTo, comparison: comparison)
        }
        return orNo(equality)
      }
    }
    return conditions.isEmpty ? .no : "(\(conditions.joined(separator: " OR ")))"
  }

  private func isMember(
    _ sql: SQLFragment, kind: SQLOperand.Kind, values: [SQLValue],
    comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    let options = comparison.options
    guard kind == .text, !options.foldsNothing else {
      return try context.dialect.isMember(sql, values, kind)
    }
    if options.contains(.localeSensitive) {
      let orders: [SQLFragment] = try values.map {
        "\(try order(sql, right: SQLFragment($0), options: options)) = 0"
      }
      return "(\(orders.joined(separator: " OR ")))"
    }
    return try context.dialect.isMember(
      fold(sql, options: options), values.map { $0.folded(StringFolding(options)) }, kind)
  }
}

extension SQLValue {
  func folded(_ folding: StringFolding) -> SQLValue {
    if case .text(let text) = self { .text(folding.fold(text)) } else { self }
  }
}
