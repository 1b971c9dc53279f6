// Aggregates of all members of a to-many relationship.
extension SQLPredicateBuilder {
  private static let operators = ["@min": "MIN", "@max": "MAX", "@sum": "SUM", "@avg": "AVG"]

  static let aggregateFunctions = [
    "min:": "MIN", "max:": "MAX", "sum:": "SUM", "average:": "AVG", "count:": "COUNT",
  ]

  /// The rest of a key path after a to-many relationship.
  func resolve(_ rest: [String], of members: SQLToMany) throws -> SQLResolved {
    guard let first = rest.first else { return .toMany(members) }
    if first == "@count" {
      guard rest.count == 1 else { throw SQLGeneration.unsupported("a key after @count") }
      return .operand(try count(members))
    }
    if first.hasPrefix("@") {
      guard let function = Self.operators[first], rest.count > 1 else {
        throw SQLGeneration.unsupported("the collection operator \(first)")
      }
      let (sql, kind) = try aggregate(function, rest: Array(rest.dropFirst()), members: members)
      return .operand(.expression(unlessMissing(members, value: sql), kind))
    }
    var members = members
    members.rest = rest
    return .toMany(members)
  }

  private func count(_ members: SQLToMany) throws -> SQLOperand {
    let count = try select("COUNT(*)", members: members)
    return .expression(unlessMissing(members, value: count), .number)
  }

  /// The value of `a[SIZE]`.
  func element(
    of collection: NSExpression, at index: NSExpression, _ scope: SQLScope
  ) throws -> SQLOperand {
    guard case .toMany(let members) = try resolve(collection, scope: scope), members.rest.isEmpty,
      case .symbol(.size) = index.content
    else { throw SQLGeneration.unsupported("an index other than [SIZE] of a relationship") }
    return try count(members)
  }

  /// An aggregate function of all members' values, as in `sum:(items.price)`. Equal values count
  /// once, as in the set that key-value coding makes of them. Nil if the argument is not of
  /// members.
  func aggregate(
    _ name: String, arguments: [NSExpression], scope: SQLScope
  ) throws -> SQLOperand? {
    guard arguments.count == 1, let function = Self.aggregateFunctions[name],
      case .toMany(let members) = try resolve(arguments[0], scope: scope)
    else { return nil }
    if name == "count:" { return try countOfValues(members) }
    let (sql, kind) = try aggregate(
      function, rest: members.rest, members: members, isDistinct: true)
    return .expression(sql, kind)
  }

  private func countOfValues(_ members: SQLToMany) throws -> SQLOperand {
    if members.rest.isEmpty {
      return .expression(try select("COUNT(*)", members: members), .number)
    }
    return .expression(
      try aggregate("COUNT", rest: members.rest, members: members, isDistinct: true).sql, .number)
  }

  /// The subselect of an aggregate over members. Sums and averages of no values are 0.
  private func aggregate(
    _ function: String, rest: [String], members: SQLToMany, isDistinct: Bool = false
  ) throws -> (sql: SQLFragment, kind: SQLOperand.Kind) {
    var members = members
    members.rest = rest
    let row = try memberRow(members)
    guard case .operand(.expression(let column, let kind)) = try resolve(rest, from: row) else {
      throw SQLGeneration.toMany(members.relationship.name)
    }
    let (value, result) = try aggregate(
      function, of: column, kind: kind, name: rest.joined(separator: "."), isDistinct: isDistinct)
    return (try select(value, members: members, row: row), result)
  }

  /// The call of SQL's aggregate function, and the kind of its result.
  ///
  /// - Parameter name: the description of the argument, for an error.
  func aggregate(
    _ function: String, of column: SQLFragment, kind: SQLOperand.Kind, name: String,
    isDistinct: Bool = false
  ) throws -> (value: SQLFragment, kind: SQLOperand.Kind) {
    let isOfNumbers = function == "SUM" || function == "AVG"
    let isCount = function == "COUNT"
    guard kind.isNumber || kind.isOrdered && !isOfNumbers || isCount else {
      throw SQLGeneration.unsupported("\(function) of “\(name)”, which is \(kind.words)")
    }
    // Sums depend on the order of addition, and few engines order UUIDs or bytes.
    if isOfNumbers || [.uuid, .data].contains(kind) && !isCount { try requireOwnFunctions() }
    let value = kind == .decimal ? real(column) : column
    let call: SQLFragment = "\(raw: function)(\(raw: isDistinct ? "DISTINCT " : "")\(value))"
    let result: SQLFragment =
      isOfNumbers ? "\(raw: context.dialect.words.ifMissing)(\(call), 0)" : call
    let isOfDoubles = kind == .decimal && context.dialect.hasOwnFunctions
    return (result, isOfDoubles || isCount ? .number : kind)
  }

  /// A value of members, which is nil if their owner is: a missing owner has a count of nil, not 0.
  private func unlessMissing(_ members: SQLToMany, value: SQLFragment) -> SQLFragment {
    guard let key = members.nullableOwner else { return value }
    return "CASE WHEN \(key) IS NOT NULL THEN \(value) END"
  }
}
