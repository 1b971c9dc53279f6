extension SQLPredicateBuilder {
  func resolve(
    _ path: String, of start: NSExpression?, scope: SQLScope
  ) throws -> SQLResolved {
    let keys = path.split(separator: ".").map(String.init)
    guard let start else { return try resolve(keys, from: scope.evaluated) }
    switch start.content {
    case .evaluatedObject: return try resolve(keys, from: scope.evaluated)
    case .variable(let name): return try resolve(keys, from: variable(name, scope: scope))
    case .subquery(let collection, let name, let predicate):
      return try resolve(
        keys, of: subquery(collection, variable: name, predicate: predicate, scope: scope))
    case .keyPath(let path, let inner):
      return try resolve("\(path).\(keys.joined(separator: "."))", of: inner, scope: scope)
    default: return .operand(try property(keys[...], of: try operand(start, scope: scope)))
    }
  }

  /// Follows a key path from a row.
  func resolve(_ keys: [String], from start: SQLRow) throws -> SQLResolved {
    var row = start
    // The path of the composite attributes around the current key.
    var prefix = ""
    for (index, name) in keys.enumerated() {
      let key = prefix + name
      let isLast = index == keys.count - 1
      if ["self", "SELF"].contains(key) { continue }
      if isLast, key == "objectID" { return .operand(object(row)) }
      switch row.layout.place(of: key) {
      case .slot(let slot):
        if isLast { return .operand(try column(slot, of: row)) }
        if row.layout.slots[slot].property is NSAttributeDescription {
          return .operand(try property(keys[(index + 1)...], of: try column(slot, of: row)))
        }
        row = try follow(slot, of: row)
        prefix = ""
      case .toMany(let number):
        let relationship = row.layout.relationship(toMany: number)
        if relationship.isTransient {
          throw SQLGeneration.unsupported("the transient property “\(key)”")
        }
        let members = SQLToMany(relationship: relationship, owner: row)
        return try resolve(Array(keys[(index + 1)...]), of: members)
      case nil where isLast && key == "entity": return .operand(entity(row))
      case .composite(let composite):
        if isLast { return .operand(try self.composite(composite, of: row)) }
        prefix = "\(key)."
      case .fetched: throw SQLGeneration.unsupported("the fetched property “\(key)”")
      case nil: throw SQLGeneration.unknownKey(key, layout: row.layout)
      }
    }
    return .operand(object(row))
  }

  private func entity(_ row: SQLRow) -> SQLOperand {
    .expression(
      SQLFragment(text: "\(row.qualifier)\(context.dialect.quoted(context.dialect.entityColumn))"),
      .entity)
  }

  /// A value that is nil if all elements of a composite attribute are. It serves comparisons with
  /// nil only.
  private func composite(_ index: Int, of row: SQLRow) throws -> SQLOperand {
    let composite = row.layout.composites[index]
    let columns = try context.entity(row.layout).columns[composite.slots].compactMap { $0 }
      .map { "\(row.qualifier)\(context.dialect.quoted($0.name))" }
    let list =
      columns.count == 1
      ? columns[0]
      // Not COALESCE: engines other than SQLite require one type for its arguments.
      : "CASE WHEN \(columns.map { "\($0) IS NOT NULL" }.joined(separator: " OR ")) THEN 1 END"
    return .expression(
      SQLFragment(text: columns.isEmpty ? "NULL" : list), .opaque(composite.path))
  }

  private func column(_ slot: Int, of row: SQLRow) throws -> SQLOperand {
    let property = row.layout.slots[slot].property
    let mapping = try context.entity(row.layout).columns[slot]
    guard let mapping else {
      throw SQLGeneration.unsupported("the transient property “\(property.name)”")
    }
    let sql = SQLFragment(text: "\(row.qualifier)\(context.dialect.quoted(mapping.name))")
    if let attribute = property as? NSAttributeDescription {
      return .expression(context.dialect.column(sql, attribute), kind(of: attribute))
    }
    let destination = (property as? NSRelationshipDescription)?.destinationEntity?.layout
    return .expression(sql, .object(rootNumber: destination?.rootNumber ?? 0))
  }

  /// The joined row of a to-one relationship.
  package func follow(_ slot: Int, of row: SQLRow) throws -> SQLRow {
    let property = row.layout.slots[slot].property
    guard let relationship = property as? NSRelationshipDescription,
      let destination = relationship.destinationEntity?.layout
    else {
      throw SQLGeneration.unsupported("a key path through the attribute “\(property.name)”")
    }
    guard let column = try context.entity(row.layout).columns[slot] else {
      throw SQLGeneration.unsupported("the transient property “\(property.name)”")
    }
    return row.joined(
      relationship.name, column: column.name, table: try context.entity(destination).table,
      layout: destination, makeAlias: makeAlias)
  }
}
