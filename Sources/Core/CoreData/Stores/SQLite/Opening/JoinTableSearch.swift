/// Matches the many-to-many relationships of a model with the join tables of a file. Their names
/// differ from those in a new store if the model was migrated, if a relationship is within one
/// entity, or if the numbers in the names are in another order.
///
/// A table belongs to one relationship and its inverse. Pairs of relationship and table are matched
/// in the order of their similarity.
struct JoinTableSearch {
  private struct Wanted {
    let relationship: NSRelationshipDescription
    let inverse: NSRelationshipDescription
    let expected: JoinMapping
  }

  private struct Candidate {
    let wanted: Int
    let join: JoinMapping
    /// The table as the inverse relationship uses it.
    let inverse: JoinMapping
    let distance: Int
  }

  /// The columns of each table, by its name.
  private let columns: [String: Set<String>]
  private let wanted: [Wanted]

  /// - Parameters:
  ///   - relationships: the to-many relationships of the model.
  ///   - expected: the join tables that a new store has for them.
  ///   - columns: the columns of the file's join tables, by table.
  init(
    _ relationships: [NSRelationshipDescription], expected: [ObjectIdentifier: JoinMapping],
    columns: [String: Set<String>]
  ) {
    self.columns = columns
    var tables: Set<String> = []
    wanted = relationships.compactMap { relationship in
      guard let inverse = relationship.inverseRelationship,
        let join = expected[ObjectIdentifier(relationship)], tables.insert(join.table).inserted
      else { return nil }
      return Wanted(relationship: relationship, inverse: inverse, expected: join)
    }
  }

  /// The join tables of all relationships and their inverses. Throws `missing` of a relationship
  /// that has no table.
  func joins(missing: (JoinMapping) -> any Error) throws -> [ObjectIdentifier: JoinMapping] {
    var found: [Int: Candidate] = [:]
    var taken: Set<String> = []
    for candidate in candidates where found[candidate.wanted] == nil {
      guard taken.insert(candidate.join.table).inserted else { continue }
      found[candidate.wanted] = candidate
    }
    var joins: [ObjectIdentifier: JoinMapping] = [:]
    for (index, wanted) in wanted.enumerated() {
      guard let found = found[index] else { throw missing(wanted.expected) }
      joins[ObjectIdentifier(wanted.inverse)] = found.inverse
      joins[ObjectIdentifier(wanted.relationship)] = found.join
    }
    return joins
  }

  private var candidates: [Candidate] {
    wanted.indices.flatMap { index in
      columns.keys.compactMap { candidate($0, for: index) }
    }.sorted { ($0.distance, $0.wanted, $0.join.table) < ($1.distance, $1.wanted, $1.join.table) }
  }

  private func candidate(_ table: String, for index: Int) -> Candidate? {
    let wanted = wanted[index]
    let expected = wanted.expected
    let owner = NumberedColumn(expected.ownerColumn, of: wanted.inverse)
    let member = NumberedColumn(expected.memberColumn, of: wanted.relationship)
    let isExpected = table.uppercased() == expected.table.uppercased()
    let names = columns[table] ?? []
    let pairs = names.flatMap { name in
      names.compactMap { other -> (owner: String, member: String, distance: Int)? in
        guard name != other, let one = owner.distance(of: name),
          let two = member.distance(of: other)
        else { return nil }
        return (name, other, one + two + (isExpected ? 0 : 2))
      }
    }
    guard let best = pairs.min(by: { ($0.distance, $0.owner) < ($1.distance, $1.owner) })
    else { return nil }
    guard let join = mapping(of: wanted.relationship, table, owner: best.owner, member: best.member)
    else {
      return nil
    }
    // A relationship that is its own inverse uses one direction for both.
    let isReflexive = wanted.inverse === wanted.relationship
    guard
      let inverse = isReflexive
        ? join : mapping(of: wanted.inverse, table, owner: best.member, member: best.owner)
    else { return nil }
    return Candidate(wanted: index, join: join, inverse: inverse, distance: best.distance)
  }

  /// The mapping of a relationship to a table; nil if the relationship is ordered and the table has
  /// no column of positions.
  private func mapping(
    of relationship: NSRelationshipDescription, _ table: String, owner: String, member: String
  ) -> JoinMapping? {
    var order: String?
    if relationship.keepsOrder {
      // Named after the members' column; for a relationship that is its own inverse, after the
      // owners'.
      let column = relationship.inverseRelationship === relationship ? owner : member
      let expected = NumberedColumn("Z_FOK_\(column.dropFirst("Z_".count))", of: relationship)
      order = expected.nearest(in: columns[table] ?? [])?.name
      if order == nil { return nil }
    }
    return JoinMapping(
      table: table, ownerColumn: owner, memberColumn: member, orderColumn: order)
  }
}
