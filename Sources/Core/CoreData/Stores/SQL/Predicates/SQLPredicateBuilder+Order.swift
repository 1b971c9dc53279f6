import Predicates

// Comparisons by `=`, `!=`, `<` and the like between two operands.
extension SQLPredicateBuilder {
  private static let symbols: [Operator: String] = [
    .lessThan: "<", .lessThanOrEqualTo: "<=", .greaterThan: ">", .greaterThanOrEqualTo: ">=",
    .equalTo: "=", .notEqualTo: "<>",
  ]

  /// The operators for exchanged sides.
  private static let mirrored: [Operator: Operator] = [
    .lessThan: .greaterThan, .lessThanOrEqualTo: .greaterThanOrEqualTo, .greaterThan: .lessThan,
    .greaterThanOrEqualTo: .lessThanOrEqualTo, .equalTo: .equalTo, .notEqualTo: .notEqualTo,
  ]

  func compareByOrder(
    _ left: SQLOperand, right: SQLOperand, type: Operator, comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    switch (left, right) {
    case (.expression(let left, let kind), .constant(let value)):
      return try compare(left, kind: kind, value: value, type: type, comparison: comparison)
    case (.constant(let value), .expression(let right, let kind)):
      return try compare(
        right, kind: kind, value: value, type: Self.mirrored[type] ?? type, comparison: comparison)
    case (.expression(let left, let kind), .expression(let right, let other)):
      guard kind.isComparable(with: other) else {
        return try differing([left, right], type: type, comparison: comparison)
      }
      // SQL would round a large integer to compare it with a double.
      if kind != other { try requireOwnFunctions() }
      return try compare(
        left, right: right, kind: kind, type: type, isConstant: false, comparison: comparison)
    case (.constant, .constant):
      return try constant(left, right: right, type: type, comparison: comparison)
    default: throw SQLGeneration.unsupported("a list with this operator", in: comparison)
    }
  }

  private func compare(
    _ sql: SQLFragment, kind: SQLOperand.Kind, value: Any?, type: Operator,
    comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    if case .opaque(let name) = kind, !TypedValue(value).isNull {
      throw SQLGeneration.unsupported("the contents of “\(name)”", in: comparison)
    }
    let isOfMixedList =
      comparison.leftExpression.isMixedList || comparison.rightExpression.isMixedList
    let constant =
      type == .equalTo || type == .notEqualTo
      ? SQLConstant(value, equalTo: kind, isOfMixedList: isOfMixedList, context: context)
      : SQLConstant(value, comparedWith: kind, isOfMixedList: isOfMixedList, context: context)
    switch constant {
    case .null where type == .equalTo: return "\(sql) IS NULL"
    case .null where type == .notEqualTo: return "\(sql) IS NOT NULL"
    case .null: throw SQLGeneration.nilRightSide(in: comparison)
    case .value(let value):
      let folded = try folded(value, kind: kind, type: type, options: comparison.options)
      return try compare(
        sql, right: folded, kind: kind, type: type, isConstant: true, comparison: comparison)
    case .unequal: return try differing([sql], type: type, comparison: comparison)
    }
  }

  /// The SQL of a compared constant: folded if the other side will be folded.
  private func folded(
    _ value: SQLValue, kind: SQLOperand.Kind, type: Operator,
    options: NSComparisonPredicate.Options
  ) throws -> SQLFragment {
    guard kind == .text, !options.foldsNothing, !options.contains(.localeSensitive),
      !context.dialect.hasOwnFunctions || type != .equalTo && type != .notEqualTo
    else { return try context.dialect.constant(value, kind) }
    return try context.dialect.constant(value.folded(StringFolding(options)), kind)
  }

  /// The condition for operands that can never be equal: false, or true for `!=`.
  private func differing(
    _ operands: [SQLFragment], type: Operator, comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    switch type {
    case .equalTo: return never(operands)
    case .notEqualTo: return always(operands)
    default:
      throw SQLGeneration.unsupported("an order between values of different kinds", in: comparison)
    }
  }

  private func compare(
    _ left: SQLFragment, right: SQLFragment, kind: SQLOperand.Kind, type: Operator,
    isConstant: Bool, comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    if case .opaque(let name) = kind {
      throw SQLGeneration.unsupported("the contents of “\(name)”", in: comparison)
    }
    guard kind.isOrdered || type == .equalTo || type == .notEqualTo else {
      throw SQLGeneration.unsupported("an order of such values", in: comparison)
    }
    let options = comparison.options
    guard kind == .text, !options.foldsNothing else {
      return plain(left, right: right, type: type, isConstant: isConstant)
    }
    if options.contains(.localeSensitive) {
      let order = try order(left, right: right, options: options)
      return adjusted(
        "\(order) \(raw: Self.symbols[type] ?? "=") 0", left: left, right: right, type: type,
        isConstant: isConstant)
    }
    if isConstant, context.dialect.hasOwnFunctions, type == .equalTo || type == .notEqualTo {
      let match = try call(left, pattern: right, type: .equalTo, options: options)
      guard type == .notEqualTo else { return match }
      return comparesAsInMemory ? "(\(match)) IS NOT TRUE" : "NOT \(match)"
    }
    return plain(
      try fold(left, options: options),
      right: isConstant ? right : try fold(right, options: options), type: type,
      isConstant: isConstant)
  }

  /// The comparison without folding. Under memory's rule for nil two nils are equal, and nil
  /// differs from every value.
  private func plain(
    _ left: SQLFragment, right: SQLFragment, type: Operator, isConstant: Bool
  ) -> SQLFragment {
    if comparesAsInMemory {
      let words = context.dialect.words
      if type == .notEqualTo { return "\(left) \(raw: words.different) \(right)" }
      if type == .equalTo, !isConstant { return "\(left) \(raw: words.same) \(right)" }
    }
    return adjusted(
      "\(left) \(raw: Self.symbols[type] ?? "=") \(right)", left: left, right: right, type: type,
      isConstant: isConstant)
  }

  private func adjusted(
    _ condition: SQLFragment, left: SQLFragment, right: SQLFragment, type: Operator,
    isConstant: Bool
  ) -> SQLFragment {
    guard comparesAsInMemory else { return condition }
    let bothMissing: SQLFragment = "\(left) IS NULL AND \(right) IS NULL"
    switch type {
    case .equalTo, .lessThanOrEqualTo, .greaterThanOrEqualTo:
      return isConstant ? condition : "(\(condition) OR \(bothMissing))"
    case .notEqualTo:
      let differs: SQLFragment =
        "\(raw: context.dialect.words.ifMissing)(\(condition), \(SQLFragment.yes))"
      return "(\(differs) AND NOT (\(bothMissing)))"
    default: return condition
    }
  }

  func order(
    _ left: SQLFragment, right: SQLFragment, options: NSComparisonPredicate.Options
  ) throws -> SQLFragment {
    try requireOwnFunctions()
    return "\(raw: SQLFunction.order)(\(left), \(right), \(raw: String(options.rawValue)))"
  }

  /// The text folded by the options; unchanged if they fold nothing.
  func fold(
    _ text: SQLFragment, options: NSComparisonPredicate.Options
  ) throws -> SQLFragment {
    let folding = StringFolding(options)
    if folding.foldsNothing { return text }
    guard context.dialect.hasOwnFunctions else {
      try assumePlain(text)
      return folding.ignoresCase ? "lower(\(text))" : text
    }
    return "\(raw: SQLFunction.fold)(\(text), \(raw: String(options.rawValue)))"
  }
}
