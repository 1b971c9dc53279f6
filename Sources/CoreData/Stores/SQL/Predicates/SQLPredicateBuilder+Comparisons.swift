extension SQLPredicateBuilder {
  typealias Operator = NSComparisonPredicate.Operator

  func condition(
    _ comparison: NSComparisonPredicate, _ scope: SQLScope
  ) throws -> SQLFragment {
    let left = try resolve(comparison.leftExpression, scope)
    let right = try resolve(comparison.rightExpression, scope)
    switch (left, right, comparison.comparisonPredicateModifier) {
    case (.operand(let left), .operand(let right), .direct):
      return try compare(left, right, comparison)
    case (.operand(let left), .operand(let right), let modifier):
      return try compareEach(left, right, modifier, comparison)
    case (.toMany(let members), .operand(let right), .any):
      return try exists(members) { try self.compare($0, members, right, comparison) }
    case (.toMany(let members), .operand(let right), .all):
      return try allMatch(members, right, comparison)
    case (.toMany(let members), .operand(let right), .direct)
    where comparison.predicateOperatorType == .contains:
      return try contains(members, right, comparison)
    case (.operand(let left), .toMany(let members), .direct)
    where comparison.predicateOperatorType == .in:
      return try contains(members, left, comparison)
    case (.toMany(let members), _, _), (_, .toMany(let members), _):
      throw SQLGeneration.toMany(members.relationship.name)
    }
  }

  // MARK: - ANY and ALL

  /// The comparison of one member for ANY. A member without a value never matches, as in memory.
  private func compare(
    _ member: SQLRow, _ members: SQLToMany, _ right: SQLOperand,
    _ comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    switch try resolve(members.rest, from: member) {
    case .operand(let left):
      let condition = try compare(left, right, comparison)
      guard right.isNilConstant || comparesAsInMemory, case .expression(let value, _) = left else {
        return condition
      }
      return "(\(value) IS NOT NULL AND \(condition))"
    case .toMany(let inner):
      return try exists(inner) { try self.compare($0, inner, right, comparison) }
    }
  }

  /// The condition of ALL: no member with a value fails the comparison.
  private func allMatch(
    _ members: SQLToMany, _ right: SQLOperand, _ comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    "NOT \(try flipped { try exists(members) { try self.differs($0, members, right, comparison) } })"
  }

  private func differs(
    _ member: SQLRow, _ members: SQLToMany, _ right: SQLOperand,
    _ comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    switch try resolve(members.rest, from: member) {
    case .operand(let left):
      let condition = try flipped { try compare(left, right, comparison) }
      guard case .expression(let value, _) = left else { return "(\(condition)) IS NOT TRUE" }
      return "\(value) IS NOT NULL AND (\(condition)) IS NOT TRUE"
    case .toMany(let inner):
      return try exists(inner) { try self.differs($0, inner, right, comparison) }
    }
  }

  /// ANY and ALL over a list in the predicate. A single value of the row counts as a list of one,
  /// as in Apple's store: `ANY author = %@` is `author = %@`.
  private func compareEach(
    _ left: SQLOperand, _ right: SQLOperand, _ modifier: NSComparisonPredicate.Modifier,
    _ comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    if case .expression = left { return try compare(left, right, comparison) }
    guard let elements = left.elements else {
      throw SQLGeneration.notACollection(in: comparison)
    }
    let conditions = try separately {
      try elements.map { orNo(try compare($0, right, comparison)) }
    }
    if conditions.isEmpty { return modifier == .all ? .yes : .no }
    return "(\(conditions.joined(separator: modifier == .all ? " AND " : " OR ")))"
  }

  private func contains(
    _ members: SQLToMany, _ element: SQLOperand, _ comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    if element.isNilConstant { return .no }
    let found = try exists(members) { member in
      guard case .operand(let value) = try self.resolve(members.rest, from: member) else {
        throw SQLGeneration.toMany(members.relationship.name)
      }
      return try self.asMembership {
        try self.doubted { try self.compareByOrder(value, element, .equalTo, comparison) }
      }
    }
    var nullable: [SQLFragment] = []
    if case .expression(let sql, _) = element { nullable.append(sql) }
    if let owner = members.nullableOwner { nullable.append(owner) }
    return unknown(where: nullable, else: found)
  }

  /// The condition, with unknown replaced by false.
  func orNo(_ condition: SQLFragment) -> SQLFragment {
    "\(raw: context.dialect.words.ifMissing)(\(condition), \(SQLFragment.no))"
  }

  // MARK: - Two operands

  func compare(
    _ left: SQLOperand, _ right: SQLOperand, _ comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    try doubted { try compareUndoubted(left, right, comparison) }
  }

  private func compareUndoubted(
    _ left: SQLOperand, _ right: SQLOperand, _ comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    if case (.constant, .constant) = (left, right), comparison.predicateOperatorType != .in {
      return try constant(left, right, comparison.predicateOperatorType, comparison)
    }
    let type = comparison.predicateOperatorType
    switch type {
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo:
      return try compareByOrder(left, right, type, comparison)
    case .between: return try isBetween(left, right, comparison)
    case .in: return try isMember(left, of: right, comparison)
    case .contains:
      if left.elements != nil { return try isMember(right, of: left, comparison) }
      return try match(left, right, .contains, comparison)
    case .beginsWith, .endsWith, .like, .matches:
      return try match(left, right, type, comparison)
    case .customSelector:
      throw SQLGeneration.selector(of: comparison)
    }
  }

  /// The comparison of two constants, evaluated immediately.
  func constant(
    _ left: SQLOperand, _ right: SQLOperand, _ type: Operator, _ comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    guard case .constant(let left) = left, case .constant(let right) = right,
      type != .customSelector
    else { throw SQLGeneration.selector(of: comparison) }
    let both = NSComparisonPredicate(
      leftExpression: NSExpression(forConstantValue: left),
      rightExpression: NSExpression(forConstantValue: right),
      type: type, options: comparison.options)
    return try CoreDataError.explaining {
      try CompiledPredicate(both, nilRule: context.nilRule.inFetch).matches(value: nil) ? .yes : .no
    }
  }
}
