// Subqueries on the members of to-many relationships.
extension SQLPredicateBuilder {
  func subquery(
    _ collection: NSExpression, variable: String, predicate: NSPredicate, scope: SQLScope
  ) throws -> SQLToMany {
    guard case .toMany(var members) = try resolve(collection, scope: scope), members.rest.isEmpty
    else {
      throw SQLGeneration.unsupported("a SUBQUERY of anything but a to-many relationship")
    }
    members.filters.append(
      .init(variable: variable, predicate: predicate, scope: scope))
    return members
  }

  /// The condition that a member satisfies `condition`.
  func exists(
    _ members: SQLToMany, where condition: (SQLRow) throws -> SQLFragment
  ) throws -> SQLFragment {
    let row = try memberRow(members)
    return "EXISTS \(try rows("1", members: members, row: row) { try condition(row) })"
  }

  /// `(SELECT what FROM members)`, for a value of all members.
  func select(_ what: SQLFragment, members: SQLToMany) throws -> SQLFragment {
    try select(what, members: members, row: try memberRow(members))
  }

  func select(
    _ what: SQLFragment, members: SQLToMany, row: SQLRow
  ) throws -> SQLFragment {
    try withoutPolarity { try rows(what, members: members, row: row) { nil } }
  }

  func memberRow(_ members: SQLToMany) throws -> SQLRow {
    guard let destination = members.relationship.destinationEntity?.layout else {
      throw SQLGeneration.unsupported(
        "the relationship “\(members.relationship.name)” without a destination")
    }
    return SQLRow(
      alias: makeAlias(), layout: destination,
      dialect: context.dialect,
      keyColumn: keysAlone(members)?.memberColumn)
  }

  /// `(SELECT what FROM members WHERE condition)`. Doubts about the members' texts become one doubt
  /// of the outer query: that a member with such a text exists.
  private func rows(
    _ what: SQLFragment, members: SQLToMany, row: SQLRow,
    condition: () throws -> SQLFragment?
  ) throws -> SQLFragment {
    let outer = doubts
    doubts = []
    let condition = try separately(condition)
    let filters = try separately {
      try members.filters.map {
        try self.condition($0.predicate, scope: $0.scope.binding($0.variable, to: row))
      }
    }
    let (from, link) = try source(members, row: row)
    // After the conditions, which may have added joins.
    let conditions = ([link] + filters + [condition].compactMap(\.self)).joined(separator: " AND ")
    let table: SQLFragment = "\(raw: from)\(raw: row.select.joinText)"
    let inner = doubts
    doubts = outer
    if let doubt = Self.oneOf(inner) {
      self.doubt("EXISTS (SELECT 1 FROM \(table) WHERE \(link) AND \(doubt))")
    }
    return "(SELECT \(what) FROM \(table) WHERE \(conditions))"
  }

  /// The relationship's join table, if the members' keys are all that is needed.
  private func keysAlone(_ members: SQLToMany) -> JoinMapping? {
    guard members.rest.isEmpty, members.filters.isEmpty else { return nil }
    return context.mapping.join(of: members.relationship)
  }

  /// The tables of the members, and the condition that links them to their owner.
  private func source(
    _ members: SQLToMany, row: SQLRow
  ) throws -> (from: String, link: SQLFragment) {
    let quoted = context.dialect.quoted
    let table = "\(quoted(try context.entity(row.layout).table)) \(row.alias)"
    let owner = members.owner.key
    if let join = keysAlone(members) {
      return (
        "\(quoted(join.table)) \(row.alias)",
        SQLFragment(text: "\(row.alias).\(quoted(join.ownerColumn)) = \(owner)")
      )
    }
    guard let join = context.mapping.join(of: members.relationship) else {
      let column = try context.mapping.foreignKey(of: members.relationship)
      return (table, SQLFragment(text: "\(row.alias).\(quoted(column.name)) = \(owner)"))
    }
    let alias = makeAlias()
    let from =
      "\(quoted(join.table)) \(alias) JOIN \(table) "
      + "ON \(row.alias).\(quoted(context.dialect.keyColumn)) = \(alias).\(quoted(join.memberColumn))"
    return (from, SQLFragment(text: "\(alias).\(quoted(join.ownerColumn)) = \(owner)"))
  }
}
