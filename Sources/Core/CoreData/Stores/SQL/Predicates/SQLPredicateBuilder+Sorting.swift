import Predicates

extension SQLPredicateBuilder {
  /// The terms of ORDER BY; nil without descriptors. Strings that a selector does not order
  /// bytewise are ordered by a sort key, which SQLite computes once per row.
  package func order(_ descriptors: [NSSortDescriptor], scope: SQLScope) throws -> SQLFragment? {
    guard !descriptors.isEmpty else { return nil }
    let terms = try terms(of: descriptors, scope)
    return (terms + [SQLFragment(text: scope.evaluated.key)]).joined(separator: ", ")
  }

  /// The terms of the descriptors, without the primary key, which orders equal rows.
  package func terms(
    of descriptors: [NSSortDescriptor], _ scope: SQLScope
  ) throws -> [SQLFragment] {
    try descriptors.map { try term($0, scope: scope) }
  }

  private func term(_ descriptor: NSSortDescriptor, scope: SQLScope) throws -> SQLFragment {
    guard let name = descriptor.selectorName else {
      throw SQLGeneration.order("comparator blocks are not supported")
    }
    guard let selector = descriptor.sortSelector else {
      throw SQLGeneration.order("unsupported selector \(name)")
    }
    guard let key = descriptor.key, !key.isEmpty else {
      throw SQLGeneration.order("it has no key")
    }
    guard case .operand(.expression(let sql, let kind)) = try column(key, scope: scope) else {
      throw CoreDataError.make(
        .coreData, reason: "to-many key not allowed here: a sort descriptor has the key “\(key)”")
    }
    if kind == .entity { throw SQLGeneration.unsupported("a sort by the entity") }
    if case .opaque(let name) = kind {
      throw SQLGeneration.unsupported("a sort by the contents of “\(name)”")
    }
    let value = kind == .text ? try sortKey(sql, selector: selector) : sql
    let term = context.dialect.sortTerm(value, descriptor.ascending)
    guard ["objectID", "self", "SELF"].contains(key), let rank = entityRank(scope.evaluated) else {
      return term
    }
    return "\(context.dialect.sortTerm(rank, descriptor.ascending)), \(term)"
  }

  /// The rank of a row's entity by name within its tree, which precedes the key in the order of
  /// object IDs; nil if there is only one entity.
  private func entityRank(_ row: SQLRow) -> SQLFragment? {
    let names = context.mapping.allEntities.filter {
      $0.layout.rootNumber == row.layout.rootNumber
        && $0.layout.entity.isKindOf(entity: row.layout.entity)
    }.sorted { ($0.layout.entity.name ?? "") < ($1.layout.entity.name ?? "") }
    guard names.count > 1 else { return nil }
    let cases = names.enumerated().map { "WHEN \($1.entityNumber) THEN \($0)" }
    let column = "\(row.alias).\(context.dialect.quoted(context.dialect.entityColumn))"
    return SQLFragment(text: "CASE \(column) \(cases.joined(separator: " ")) END")
  }

  private func column(_ key: String, scope: SQLScope) throws -> SQLResolved {
    try resolve(key.split(separator: ".").map(String.init), from: scope.evaluated)
  }

  private func sortKey(
    _ text: SQLFragment, selector: SortSelector
  ) throws -> SQLFragment {
    switch selector {
    case .compare: return text
    case .caseInsensitiveCompare: return try fold(text, options: .caseInsensitive)
    default:
      try requireOwnFunctions()
      return "\(raw: SQLFunction.sortKey)(\(text), \(raw: "'\(selector.rawValue)'"))"
    }
  }
}
