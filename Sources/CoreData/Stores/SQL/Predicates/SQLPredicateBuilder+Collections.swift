// Members of to-many relationships as subqueries.
extension SQLPredicateBuilder {
  func subquery(
    _ collection: NSExpression, _ variable: String, _ predicate: NSPredicate, _ scope: SQLScope
  ) throws -> SQLToMany {
    guard case .toMany(var members) = try resolve(collection, scope), members.rest.isEmpty,
      members.filter == nil
    else {
      throw SQLGeneration.unsupported("a SUBQUERY of anything but a to-many relationship")
    }
    members.filter = (variable, predicate)
    return members
  }

  /// Whether some member satisfies `condition`.
  func exists(
    _ members: SQLToMany, where condition: (SQLScope) throws -> SQLFragment
  ) throws -> SQLFragment {
    "EXISTS \(try select("1", members, condition))"
  }

  /// `(SELECT what FROM members WHERE condition)`
  func select(
    _ what: SQLFragment, _ members: SQLToMany, _ condition: (SQLScope) throws -> SQLFragment?
  ) throws -> SQLFragment {
    let scope = try memberScope(members)
    let condition = try separately { try condition(scope) }
    return try select(what, members, scope, condition: condition)
  }

  func memberScope(_ members: SQLToMany) throws -> SQLScope {
    guard let destination = members.relationship.destinationEntity?.layout else {
      throw SQLGeneration.unsupported(
        "the relationship “\(members.relationship.name)” without a destination")
    }
    let scope = SQLScope(
      alias: makeAlias(), layout: destination, outer: members.owner.evaluated,
      keyColumn: keysAlone(members)?.memberColumn ?? SQLScope.key)
    for (name, other) in members.owner.variables { scope.variables[name] = other }
    return scope
  }

  func select(
    _ what: SQLFragment, _ members: SQLToMany, _ scope: SQLScope, condition: SQLFragment?
  ) throws -> SQLFragment {
    let filter = try members.filter.map { variable, predicate in
      scope.variables[variable] = scope
      return try separately { try self.condition(predicate, scope) }
    }
    let (from, link) = try source(members, scope)
    // Built last: the conditions above may have asked for joins.
    let conditions = [link, filter, condition].compactMap { $0 }.joined(separator: " AND ")
    return "(SELECT \(what) FROM \(raw: from)\(raw: scope.joinText) WHERE \(conditions))"
  }

  /// The join table, when it says all that is asked of the members: which they are.
  private func keysAlone(_ members: SQLToMany) -> JoinMapping? {
    guard members.rest.isEmpty, members.filter == nil else { return nil }
    return context.mapping.join(of: members.relationship)
  }

  /// The table of the members, and the condition that they belong to their owner.
  private func source(
    _ members: SQLToMany, _ scope: SQLScope
  ) throws -> (from: String, link: SQLFragment) {
    let quoted = SQLIdentifier.quoted
    let table = "\(quoted(try context.entity(scope.layout).table)) \(scope.alias)"
    let owner = members.owner.key
    if let join = keysAlone(members) {
      return (
        "\(quoted(join.table)) \(scope.alias)",
        SQLFragment(text: "\(scope.alias).\(quoted(join.ownerColumn)) = \(owner)")
      )
    }
    guard let join = context.mapping.join(of: members.relationship) else {
      let column = try context.mapping.foreignKey(of: members.relationship)
      return (table, SQLFragment(text: "\(scope.alias).\(quoted(column.name)) = \(owner)"))
    }
    let alias = makeAlias()
    let from =
      "\(quoted(join.table)) \(alias) JOIN \(table) "
      + "ON \(scope.alias).Z_PK = \(alias).\(quoted(join.memberColumn))"
    return (from, SQLFragment(text: "\(alias).\(quoted(join.ownerColumn)) = \(owner)"))
  }
}
