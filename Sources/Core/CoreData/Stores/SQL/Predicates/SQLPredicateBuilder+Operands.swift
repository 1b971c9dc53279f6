import Predicates

/// The result of resolving an expression.
enum SQLResolved {
  case operand(SQLOperand)
  case toMany(SQLToMany)
}

extension SQLPredicateBuilder {
  func resolve(_ expression: NSExpression, scope: SQLScope) throws -> SQLResolved {
    if let constant = try constant(expression) { return .operand(.constant(constant)) }
    switch expression.content {
    case .evaluatedObject: return .operand(object(scope.evaluated))
    case .variable(let name): return .operand(object(try variable(name, scope: scope)))
    case .keyPath(let path, let start): return try resolve(path, of: start, scope: scope)
    case .subquery(let collection, let variable, let predicate):
      return .toMany(
        try subquery(collection, variable: variable, predicate: predicate, scope: scope))
    case .element(let collection, let index):
      return .operand(try element(of: collection, at: index, scope))
    default: return .operand(try value(expression, scope: scope))
    }
  }

  private func value(_ expression: NSExpression, scope: SQLScope) throws -> SQLOperand {
    switch expression.content {
    case .constant(let value): return .constant(value)
    case .aggregate(let elements): return .list(try elements.map { try operand($0, scope: scope) })
    case .function(let name, let arguments):
      return try function(name, arguments: arguments, scope: scope)
    case .conditional(let predicate, let first, let second):
      return try conditional(predicate, first: first, second: second, scope: scope)
    case .cast(let operand, let type):
      return try cast(self.operand(operand, scope: scope), to: type)
    case .fetch(let request, _, let countOnly): return try fetch(request, countOnly: countOnly)
    case .message(let receiver, let selector, let arguments):
      return try message(receiver, selector: selector, arguments: arguments, scope: scope)
    case .block: throw SQLGeneration.unsupported("a block")
    case .set(let operation, _, _):
      throw SQLGeneration.unsupported("the set expression \(operation.rawValue)")
    case .keyFromVariable:
      throw SQLGeneration.unsupported(
        "\(expression.formatWithoutValues), a key that a variable names")
    case .subclass: throw SQLGeneration.unsupported("an expression of a class of your own")
    default:
      throw SQLGeneration.unsupported("the expression \(expression.formatWithoutValues)")
    }
  }

  /// The operand of an expression; throws for a to-many relationship.
  func operand(_ expression: NSExpression, scope: SQLScope) throws -> SQLOperand {
    switch try resolve(expression, scope: scope) {
    case .operand(let operand): return operand
    case .toMany(let members): throw SQLGeneration.toMany(members.relationship.name)
    }
  }

  func object(_ row: SQLRow) -> SQLOperand {
    .expression(SQLFragment(text: row.key), .object(rootNumber: row.layout.rootNumber))
  }

  func variable(_ name: String, scope: SQLScope) throws -> SQLRow {
    if let found = scope.row(of: name) { return found }
    throw SQLGeneration.unsupported(
      "the variable $\(name), which no SUBQUERY defines and no "
        + "substitution has replaced")
  }

  /// The kind of an attribute's values. On an engine that converts an integer beside a double to a
  /// double, the kind of doubles differs from that of integers, as that of decimals does.
  func kind(of attribute: NSAttributeDescription) -> SQLOperand.Kind {
    let kind = SQLOperand.Kind(attribute)
    guard kind == .number, !context.dialect.hasOwnFunctions else { return kind }
    switch attribute.attributeType {
    case .doubleAttributeType, .floatAttributeType: return .decimal
    default: return kind
    }
  }

  // MARK: - Constants

  /// The value of an expression that is constant for all rows, evaluated now so that an index can
  /// be used: `CAST(now(), "NSNumber") - 3600`. Nil for other expressions, and for a result of nil:
  /// only a literal nil tests for nil.
  private func constant(_ expression: NSExpression) throws -> Any? {
    switch expression.content {
    case .function, .cast, .set, .element, .message, .keyPath(_, of: .some):
      guard expression.isConstant else { return nil }
      return try CoreDataError.explaining {
        try CompiledExpression(expression, nilRule: context.nilRule.inFetch).value(of: NSNull()).any
      }
    default: return nil
    }
  }

  // MARK: - TERNARY

  private func conditional(
    _ predicate: NSPredicate, first: NSExpression, second: NSExpression, scope: SQLScope
  ) throws -> SQLOperand {
    let condition = try separately {
      try withoutPolarity { try self.condition(predicate, scope: scope) }
    }
    let sides = [try operand(first, scope: scope), try operand(second, scope: scope)]
    guard let kind = try commonKind(of: sides) else {
      throw SQLGeneration.unsupported(
        "a TERNARY of values of different types, or of none but nil")
    }
    let values = try sides.map { try sql($0, as: kind, in: "TERNARY") }
    let choice: SQLFragment = "CASE WHEN \(condition) THEN \(values[0]) ELSE \(values[1]) END"
    let byBytes = context.dialect.words.byBytes
    // A choice between two constants would have the database's collation.
    guard kind == .text || kind == .uri, !byBytes.isEmpty else { return .expression(choice, kind) }
    return .expression("(\(choice)\(raw: byBytes))", kind)
  }

  /// The common kind of all operands that are not nil; nil if kinds differ or there are none.
  func commonKind(of operands: [SQLOperand]) throws -> SQLOperand.Kind? {
    let kinds = operands.compactMap { operand -> SQLOperand.Kind? in
      switch operand {
      case .expression(_, let kind): kind
      case .constant(let value): SQLOperand.Kind(constant: value, context: context)
      case .list, .rows: nil
      }
    }
    guard let first = kinds.first, kinds.allSatisfy({ $0.isComparable(with: first) }) else {
      return nil
    }
    return kinds.first { $0 != .decimal } ?? first
  }

  /// A number as a double.
  func real(_ sql: SQLFragment) -> SQLFragment {
    "CAST(\(sql) AS \(raw: context.dialect.words.real))"
  }

  /// The SQL of an operand as a value of a kind. Decimals become doubles, with which SQL computes
  /// as memory does.
  func sql(
    _ operand: SQLOperand, as kind: SQLOperand.Kind, in user: String
  ) throws -> SQLFragment {
    switch operand {
    case .expression(let sql, .decimal) where kind.isNumber: return real(sql)
    case .expression(let sql, let other) where other.isComparable(with: kind): return sql
    case .constant(let value):
      switch SQLConstant(value, as: kind, context: context) {
      case .value(let value): return try context.dialect.constant(value, kind)
      case .null: return "NULL"
      case .unequal: break
      }
    default: break
    }
    throw SQLGeneration.unsupported("\(user) with a value of another type than \(kind.words)")
  }
}
