/// What an expression is resolved to.
enum SQLResolved {
  case operand(SQLOperand)
  case toMany(SQLToMany)
}

/// The members of a to-many relationship of a row, with the rest of the key path that led there.
struct SQLToMany {
  let relationship: NSRelationshipDescription
  let owner: SQLScope
  var rest: [String] = []
  /// Narrows the members: the predicate of a SUBQUERY with the name of its variable.
  var filter: (variable: String, predicate: NSPredicate)?
}

extension SQLPredicateBuilder {
  func resolve(_ expression: NSExpression, _ scope: SQLScope) throws -> SQLResolved {
    switch expression.content {
    case .constant(let value): return .operand(.constant(value))
    case .evaluatedObject: return .operand(object(scope.evaluated))
    case .variable(let name): return .operand(object(try variable(name, scope)))
    case .keyPath(let path, let start): return try resolve(path, of: start, scope)
    case .aggregate(let elements):
      return .operand(.list(try elements.map { try operand($0, scope) }))
    case .function(let name, let arguments):
      return .operand(try function(name, arguments, scope))
    case .subquery(let collection, let variable, let predicate):
      return .toMany(try subquery(collection, variable, predicate, scope))
    default:
      throw SQLGeneration.unsupported("an expression of type \(expression.expressionType)")
    }
  }

  /// An operand; throws for a collection.
  func operand(_ expression: NSExpression, _ scope: SQLScope) throws -> SQLOperand {
    switch try resolve(expression, scope) {
    case .operand(let operand): return operand
    case .toMany(let members):
      throw CoreDataError.make(
        .coreData,
        reason: "to-many key not allowed here: “\(members.relationship.name)”; use ANY, ALL, "
          + "CONTAINS or @count with it")
    }
  }

  func object(_ scope: SQLScope) -> SQLOperand {
    .expression(
      SQLFragment(text: "\(scope.alias).Z_PK"), .object(rootNumber: scope.layout.rootNumber))
  }

  private func variable(_ name: String, _ scope: SQLScope) throws -> SQLScope {
    if let found = scope.variables[name] { return found }
    throw SQLGeneration.unsupported(
      "the variable $\(name), which no SUBQUERY defines and no "
        + "substitution has replaced")
  }

  // MARK: - Key paths

  private func resolve(
    _ path: String, of start: NSExpression?, _ scope: SQLScope
  ) throws -> SQLResolved {
    let keys = path.split(separator: ".").map(String.init)
    switch start?.content {
    case nil, .evaluatedObject: return try resolve(keys, from: scope.evaluated)
    case .variable(let name): return try resolve(keys, from: variable(name, scope))
    case .subquery(let collection, let name, let predicate):
      return try resolve(keys, of: subquery(collection, name, predicate, scope))
    default:
      throw SQLGeneration.unsupported("a key path of an expression that is no object")
    }
  }

  /// Follows keys from a row.
  func resolve(_ keys: [String], from start: SQLScope) throws -> SQLResolved {
    var scope = start
    for (index, key) in keys.enumerated() {
      let isLast = index == keys.count - 1
      if isLast, ["self", "SELF", "objectID"].contains(key) { return .operand(object(scope)) }
      switch scope.layout.place(of: key) {
      case .slot(let slot):
        if isLast { return .operand(try column(slot, of: scope)) }
        scope = try follow(slot, of: scope, in: start)
      case .toMany(let number):
        let members = SQLToMany(
          relationship: scope.layout.relationship(toMany: number), owner: scope)
        return try resolve(Array(keys[(index + 1)...]), of: members)
      case .fetched: throw SQLGeneration.unsupported("the fetched property “\(key)”")
      case nil: throw SQLGeneration.unknownKey(key, scope.layout)
      }
    }
    return .operand(object(scope))
  }

  private func column(_ slot: Int, of scope: SQLScope) throws -> SQLOperand {
    let property = scope.layout.slots[slot].property
    let mapping = try context.entity(scope.layout).columns[slot]
    guard let mapping else {
      throw SQLGeneration.unsupported("the transient property “\(property.name)”")
    }
    let sql = SQLFragment(text: "\(scope.alias).\(SQLIdentifier.quoted(mapping.name))")
    if let attribute = property as? NSAttributeDescription {
      return .expression(sql, SQLOperand.Kind(attribute))
    }
    let destination = (property as? NSRelationshipDescription)?.destinationEntity?.layout
    return .expression(sql, .object(rootNumber: destination?.rootNumber ?? 0))
  }

  private func follow(_ slot: Int, of scope: SQLScope, in root: SQLScope) throws -> SQLScope {
    let property = scope.layout.slots[slot].property
    guard let relationship = property as? NSRelationshipDescription,
      let destination = relationship.destinationEntity?.layout,
      let column = try context.entity(scope.layout).columns[slot]
    else {
      throw SQLGeneration.unsupported("a key path through the attribute “\(property.name)”")
    }
    return root.join(
      relationship.name, column: column.name, of: scope,
      table: try context.entity(destination).table, layout: destination, alias: makeAlias)
  }
}
