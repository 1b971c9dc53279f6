extension SQLPredicateBuilder {
  func resolve(
    _ path: String, of start: NSExpression?, _ scope: SQLScope
  ) throws -> SQLResolved {
    let keys = path.split(separator: ".").map(String.init)
    switch start?.content {
    case nil, .evaluatedObject: return try resolve(keys, from: scope.evaluated)
    case .variable(let name): return try resolve(keys, from: variable(name, scope))
    case .subquery(let collection, let name, let predicate):
      return try resolve(keys, of: subquery(collection, name, predicate, scope))
    case .keyPath(let path, let inner):
      return try resolve("\(path).\(keys.joined(separator: "."))", of: inner, scope)
    default:
      throw SQLGeneration.unsupported("a key path of an expression that is no object")
    }
  }

  /// Follows keys from a row.
  func resolve(_ keys: [String], from start: SQLScope) throws -> SQLResolved {
    var scope = start
    // The composite attributes that the path is in.
    var prefix = ""
    for (index, name) in keys.enumerated() {
      let key = prefix + name
      let isLast = index == keys.count - 1
      if ["self", "SELF"].contains(key) { continue }
      if isLast, key == "objectID" { return .operand(object(scope)) }
      switch scope.layout.place(of: key) {
      case .slot(let slot):
        if isLast { return .operand(try column(slot, of: scope)) }
        scope = try follow(slot, of: scope, in: start)
        prefix = ""
      case .toMany(let number):
        let members = SQLToMany(
          relationship: scope.layout.relationship(toMany: number), owner: scope)
        return try resolve(Array(keys[(index + 1)...]), of: members)
      case nil where isLast && key == "entity": return .operand(entity(scope))
      case .composite(let composite):
        if isLast { return .operand(try self.composite(composite, of: scope)) }
        prefix = "\(key)."
      case .fetched: throw SQLGeneration.unsupported("the fetched property “\(key)”")
      case nil: throw SQLGeneration.unknownKey(key, scope.layout)
      }
    }
    return .operand(object(scope))
  }

  private func entity(_ scope: SQLScope) -> SQLOperand {
    .expression(SQLFragment(text: "\(scope.alias).Z_ENT"), .entity)
  }

  /// Something that is nil when all elements are: more cannot be asked of a composite attribute.
  private func composite(_ index: Int, of scope: SQLScope) throws -> SQLOperand {
    let composite = scope.layout.composites[index]
    let columns = try context.entity(scope.layout).columns[composite.slots].compactMap { $0 }
      .map { "\(scope.alias).\(SQLIdentifier.quoted($0.name))" }
    let list = columns.count == 1 ? columns[0] : "COALESCE(\(columns.joined(separator: ", ")))"
    return .expression(
      SQLFragment(text: columns.isEmpty ? "NULL" : list), .opaque(composite.path))
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

  /// The scope behind a to-one relationship, joined.
  func follow(_ slot: Int, of scope: SQLScope, in root: SQLScope) throws -> SQLScope {
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
