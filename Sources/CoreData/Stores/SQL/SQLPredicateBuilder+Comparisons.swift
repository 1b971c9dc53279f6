extension SQLPredicateBuilder {
  typealias Operator = NSComparisonPredicate.Operator

  /// The operators that SQL has too.
  private static let symbols: [Operator: String] = [
    .lessThan: "<", .lessThanOrEqualTo: "<=", .greaterThan: ">", .greaterThanOrEqualTo: ">=",
    .equalTo: "=", .notEqualTo: "<>",
  ]

  /// With the sides exchanged.
  private static let mirrored: [Operator: Operator] = [
    .lessThan: .greaterThan, .lessThanOrEqualTo: .greaterThanOrEqualTo, .greaterThan: .lessThan,
    .greaterThanOrEqualTo: .lessThanOrEqualTo, .equalTo: .equalTo, .notEqualTo: .notEqualTo,
  ]

  func condition(
    _ comparison: NSComparisonPredicate, _ scope: SQLScope
  ) throws -> SQLFragment {
    let left = try resolve(comparison.leftExpression, scope)
    let right = try resolve(comparison.rightExpression, scope)
    switch (left, right, comparison.comparisonPredicateModifier) {
    case (.operand(let left), .operand(let right), .direct):
      return try compare(left, right, comparison)
    case (.toMany(let members), .operand(let right), .any):
      return try exists(members) { try self.compare($0, members, right, comparison) }
    case (.toMany(let members), .operand(let right), .all):
      // A member without a value is not among the values, in memory as here.
      let exception = try exists(members) {
        "NOT (\(try self.compare($0, members, right, comparison)))"
      }
      return "NOT \(exception)"
    case (.toMany(let members), .operand(let right), .direct)
    where comparison.predicateOperatorType == .contains:
      return try contains(members, right, comparison)
    case (.operand(let left), .toMany(let members), .direct)
    where comparison.predicateOperatorType == .in:
      return try contains(members, left, comparison)
    default:
      throw SQLGeneration.unsupported(
        "a to-many relationship with this operator and modifier", in: comparison)
    }
  }

  private func compare(
    _ member: SQLScope, _ members: SQLToMany, _ right: SQLOperand,
    _ comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    switch try resolve(members.rest, from: member) {
    case .operand(let left): return try compare(left, right, comparison)
    case .toMany(let inner):
      return try exists(inner) { try self.compare($0, inner, right, comparison) }
    }
  }

  private func contains(
    _ members: SQLToMany, _ element: SQLOperand, _ comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    try exists(members) { member in
      guard case .operand(let value) = try self.resolve(members.rest, from: member) else {
        throw SQLGeneration.unsupported("a to-many relationship of another", in: comparison)
      }
      return try self.compareByOrder(value, element, .equalTo, comparison)
    }
  }

  // MARK: - Two operands

  private func compare(
    _ left: SQLOperand, _ right: SQLOperand, _ comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    let type = comparison.predicateOperatorType
    switch type {
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo:
      return try compareByOrder(left, right, type, comparison)
    case .between: return try isBetween(left, right, comparison)
    case .in: return try isMember(left, of: right, comparison)
    case .contains:
      if left.isCollection { return try isMember(right, of: left, comparison) }
      return try match(left, right, .contains, comparison)
    case .beginsWith, .endsWith, .like, .matches:
      return try match(left, right, type, comparison)
    case .customSelector:
      throw SQLGeneration.unsupported("a comparison by a selector", in: comparison)
    }
  }

  private func compareByOrder(
    _ left: SQLOperand, _ right: SQLOperand, _ type: Operator, _ comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    switch (left, right) {
    case (.expression(let left, let kind), .constant(let value)):
      return try compare(left, kind, value, type, comparison)
    case (.constant(let value), .expression(let right, let kind)):
      return try compare(right, kind, value, Self.mirrored[type] ?? type, comparison)
    case (.expression(let left, let kind), .expression(let right, let other)):
      guard kind == other else { return differing(left, type) }
      return try compare(left, right, kind, type, comparison)
    case (.constant, .constant): return comparison.evaluate(with: nil) ? "1" : "0"
    default: throw SQLGeneration.unsupported("a list with this operator", in: comparison)
    }
  }

  private func compare(
    _ sql: SQLFragment, _ kind: SQLOperand.Kind, _ value: Any?, _ type: Operator,
    _ comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    let constant = SQLConstant(value, as: kind, context: context)
    if case .opaque(let name) = kind, !TypedValue(value).isNull {
      throw SQLGeneration.unsupported("the contents of “\(name)”", in: comparison)
    }
    switch constant {
    case .null where type == .equalTo: return "\(sql) IS NULL"
    case .null where type == .notEqualTo: return "\(sql) IS NOT NULL"
    case .null: throw SQLGeneration.unsupported("an order against nil", in: comparison)
    case .value(let value):
      return try compare(sql, SQLFragment(value), kind, type, comparison)
    case .unequal where type == .equalTo || type == .notEqualTo: return differing(sql, type)
    case .unequal:
      throw SQLGeneration.unsupported("an order between values of different kinds", in: comparison)
    }
  }

  /// False, or true for `!=`; unknown for nil.
  private func differing(_ sql: SQLFragment, _ type: Operator) -> SQLFragment {
    type == .notEqualTo ? "(\(sql) IS NOT NULL OR NULL)" : Self.never(sql)
  }

  /// False; unknown for nil.
  static func never(_ sql: SQLFragment) -> SQLFragment { "(\(sql) IS NULL AND NULL)" }

  private func compare(
    _ left: SQLFragment, _ right: SQLFragment, _ kind: SQLOperand.Kind, _ type: Operator,
    _ comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    let isEquality = type == .equalTo || type == .notEqualTo
    if case .opaque(let name) = kind {
      throw SQLGeneration.unsupported("the contents of “\(name)”", in: comparison)
    }
    guard kind.isOrdered || isEquality else {
      throw SQLGeneration.unsupported("an order of such values", in: comparison)
    }
    if kind == .text, !comparison.options.foldsNothing {
      guard isEquality else {
        throw SQLGeneration.unsupported("an order with the options of strings", in: comparison)
      }
      let call = call(left, right, .equalTo, comparison.options)
      return type == .equalTo ? call : "NOT \(call)"
    }
    return "\(left) \(raw: Self.symbols[type] ?? "=") \(right)"
  }
}

extension SQLOperand {
  /// Whether this is a list, or a constant that is a collection.
  fileprivate var isCollection: Bool {
    switch self {
    case .list: return true
    case .constant(let value):
      if case .collection = TypedValue(value) { return true }
      return false
    case .expression: return false
    }
  }
}
