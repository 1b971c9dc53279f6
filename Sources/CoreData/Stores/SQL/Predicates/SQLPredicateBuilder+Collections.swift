// Members of to-many relationships as subqueries.
extension SQLPredicateBuilder {
  func subquery(
    _ collection: NSExpression, _ variable: String, _ predicate: NSPredicate, _ scope: SQLScope
  ) throws -> SQLToMany {
    guard case .toMany(var members) = try resolve(collection, scope), members.rest.isEmpty
    else {
      throw SQLGeneration.unsupported("a SUBQUERY of anything but a to-many relationship")
    }
    members.filters.append(
      .init(variable: variable, predicate: predicate, scope: scope))
    return members
  }

  /// Whether some member satisfies `condition`.
  func exists(
    _ members: SQLToMany, where condition: (SQLRow) throws -> SQLFragment
  ) throws -> SQLFragment {
    "EXISTS \(try select("1", members, condition))"
  }

  /// `(SELECT what FROM members WHERE condition)`
  func select(
    _ what: SQLFragment, _ members: SQLToMany, _ condition: (SQLRow) throws -> SQLFragment?
  ) throws -> SQLFragment {
    let row = try memberRow(members)
    let condition = try separately { try condition(row) }
    return try select(what, members, row, condition: condition)
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

  func select(
    _ what: SQLFragment, _ members: SQLToMany, _ row: SQLRow, condition: SQLFragment?
  ) throws -> SQLFragment {
    let filters = try separately {
      try members.filters.map {
        try self.condition($0.predicate, $0.scope.binding($0.variable, to: row))
      }
    }
    let (from, link) = try source(members, row)
    // Built last: the conditions above may have asked for joins.
    let conditions = ([link] + filters + [condition].compactMap(\.self)).joined(separator: " AND ")
    return "(SELECT \(what) FROM \(raw: from)\(raw: row.select.joinText) WHERE \(conditions))"
  }

  /// The join table, when it says all that is asked of the members: which they are.
  private func keysAlone(_ members: SQLToMany) -> JoinMapping? {
    guard members.rest.isEmpty, members.filters.isEmpty else { return nil }
    return context.mapping.join(of: members.relationship)
  }

  /// The table of the members, and the condition that they belong to their owner.
  private func source(
    _ members: SQLToMany, _ row: SQLRow
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
