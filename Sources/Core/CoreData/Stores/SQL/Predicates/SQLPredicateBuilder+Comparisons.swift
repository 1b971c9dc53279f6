extension SQLPredicateBuilder {
  typealias Operator = NSComparisonPredicate.Operator

  func condition(
    _ comparison: NSComparisonPredicate, scope: SQLScope
  ) throws -> SQLFragment {
    let left = try resolve(comparison.leftExpression, scope: scope)
    let right = try resolve(comparison.rightExpression, scope: scope)
    switch (left, right, comparison.comparisonPredicateModifier) {
    case (.operand(let left), .operand(let right), .direct):
      return try compare(left, right: right, comparison: comparison)
    case (.operand(let left), .operand(let right), let modifier):
      return try compareEach(left, right: right, modifier: modifier, comparison: comparison)
    case (.toMany(let members), .operand(let right), .any):
      return try exists(members) {
        try self.compare($0, members: members, right: right, comparison: comparison)
      }
    case (.toMany(let members), .operand(let right), .all):
      return try allMatch(members, right: right, comparison: comparison)
    case (.toMany(let members), .operand(let right), .direct)
    where comparison.predicateOperatorType == .contains:
      return try contains(members, element: right, comparison: comparison)
    case (.operand(let left), .toMany(let members), .direct)
    where comparison.predicateOperatorType == .in:
      return try contains(members, element: left, comparison: comparison)
    case (.toMany(let members), _, _), (_, .toMany(let members), _):
      throw SQLGeneration.toMany(members.relationship.name)
    }
  }

  // MARK: - ANY and ALL

  /// The comparison of one member for ANY. A member without a value never matches, as in memory.
  private func compare(
    _ member: SQLRow, members: SQLToMany, right: SQLOperand,
    comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    switch try resolve(members.rest, from: member) {
    case .operand(let left):
      let condition = try compare(left, right: right, comparison: comparison)
      guard right.isNilConstant || comparesAsInMemory, case .expression(let value, _) = left else {
        return condition
      }
      return "(\(value) IS NOT NULL AND \(condition))"
    case .toMany(let inner):
      return try exists(inner) {
        try self.compare($0, members: inner, right: right, comparison: comparison)
      }
    }
  }

  /// The condition of ALL: no member with a value fails the comparison.
  private func allMatch(
    _ members: SQLToMany, right: SQLOperand, comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    "NOT \(try flipped { try exists(members) { try self.differs($0, members: members, right: right, comparison: comparison) } })"
  }

  private func differs(
    _ member: SQLRow, members: SQLToMany, right: SQLOperand,
    comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    switch try resolve(members.rest, from: member) {
    case .operand(let left):
      let condition = try flipped { try compare(left, right: right, comparison: comparison) }
      guard case .expression(let value, _) = left else { return "(\(condition)) IS NOT TRUE" }
      return "\(value) IS NOT NULL AND (\(condition)) IS NOT TRUE"
    case .toMany(let inner):
      return try exists(inner) {
        try self.differs($0, members: inner, right: right, comparison: comparison)
      }
    }
  }

  /// ANY and ALL over a list in the predicate. A single value of the row counts as a list of one,
  /// as in Apple's store: `ANY author = %@` is `author = %@`.
  private func compareEach(
    _ left: SQLOperand, right: SQLOperand, modifier: NSComparisonPredicate.Modifier,
    comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    if case .expression = left { return try compare(left, right: right, comparison: comparison) }
    guard let elements = left.elements else {
      throw SQLGeneration.notACollection(in: comparison)
    }
    let conditions = try separately {
      try elements.map { orNo(try compare($0, right: right, comparison: comparison)) }
    }
    if conditions.isEmpty { return modifier == .all ? .yes : .no }
    return "(\(conditions.joined(separator: modifier == .all ? " AND " : " OR ")))"
  }

  private func contains(
    _ members: SQLToMany, element: SQLOperand, comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    if element.isNilConstant { return .no }
    let found = try exists(members) { member in
      guard case .operand(let value) = try self.resolve(members.rest, from: member) else {
        throw SQLGeneration.toMany(members.relationship.name)
      }
      return try self.asMembership {
        try self.doubted {
          try self.compareByOrder(value, right: element, type: .equalTo, comparison: comparison)
        }
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
    _ left: SQLOperand, right: SQLOperand, comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    try doubted { try compareUndoubted(left, right: right, comparison: comparison) }
  }

  private func compareUndoubted(
    _ left: SQLOperand, right: SQLOperand, comparison: NSComparisonPredicate
  ) throws -> SQLFragment {
    if case (.constant, .constant) = (left, right), comparison.predicateOperatorType != .in {
      return try constant(
        left, right: right, type: comparison.predicateOperatorType, comparison: comparison)
    }
    let type = comparison.predicateOperatorType
    switch type {
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo:
      return try compareByOrder(left, right: right, type: type, comparison: comparison)
    case .between: return try isBetween(left, bounds: right, comparison: comparison)
    case .in: return try isMember(left, of: right, comparison: comparison)
    case .contains:
      if left.elements != nil { return try isMember(right, of: left, comparison: comparison) }
      return try match(left, pattern: right, type: .contains, comparison: comparison)
    case .beginsWith, .endsWith, .like, .matches:
      return try match(left, pattern: right, type: type, comparison: comparison)
    case .customSelector:
      throw SQLGeneration.selector(of: comparison)
    }
  }

  /// The comparison of two constants, evaluated immediately.
  func constant(
    _ left: SQLOperand, right: SQLOperand, type: Operator, comparison: NSComparisonPredicate
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
