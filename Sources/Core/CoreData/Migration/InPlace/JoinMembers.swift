/// The rows of one join table of the new schema, filled from the old storage of the relationship.
package struct JoinMembers {
  /// The table, seen from one of its two relationships.
  package let join: JoinMapping
  private let storage: RelationshipStorage?
  /// The column with the positions on the other side.
  private let otherOrderColumn: String?
  private let otherStorage: RelationshipStorage?

  package init(
    _ relationship: NSRelationshipDescription, join: JoinMapping,
    in migration: some MigrationInSQL
  ) {
    self.join = join
    let owner = migration.entities.first { $0.new.layout.entity === relationship.entity }
    storage = owner.flatMap { migration.oldStorage(of: relationship, in: $0) }
    let inverse = relationship.inverseRelationship
    let member = migration.entities.first { $0.new.layout.entity === inverse?.entity }
    otherStorage = inverse.flatMap { inverse in
      member.flatMap { migration.oldStorage(of: inverse, in: $0) }
    }
    otherOrderColumn = inverse.flatMap { migration.new.join(of: $0)?.orderColumn }
  }

  /// The old join table; nil if there was none.
  package var oldJoin: JoinMapping? {
    if case .join(let old)? = storage { old } else { nil }
  }

  /// Whether the old join table has the positions of every ordered side. The column of a side that
  /// was transient is empty.
  package var hasOldPositions: Bool {
    Self.hasPositions(storage, column: join.orderColumn)
      && Self.hasPositions(otherStorage, column: otherOrderColumn)
  }

  private static func hasPositions(_ storage: RelationshipStorage?, column: String?) -> Bool {
    guard column != nil else { return true }
    guard case .join(let old)? = storage else { return false }
    return old.orderColumn != nil
  }

  /// Fills the table, which is empty.
  package func fill(_ migration: some MigrationInSQL) throws {
    guard let storage else { return }
    let (quoted, key) = (migration.dialect.quoted, migration.key)
    var columns = [join.ownerColumn, join.memberColumn]
    let (owner, member, source, order): (String, String, String, String?)
    var otherOrder: String?
    switch storage {
    case .join(let old):
      (owner, member) = (quoted(old.ownerColumn), quoted(old.memberColumn))
      source = migration.currentName(old.table)
      order = old.orderColumn.map(quoted)
      if case .join(let other)? = otherStorage { otherOrder = other.orderColumn.map(quoted) }
    case .column(let old, let table, let ofOwners):
      (owner, member) = ofOwners ? (key, quoted(old.name)) : (quoted(old.name), key)
      source = migration.currentName(table)
      order = ofOwners ? nil : old.orderColumn.map(quoted)
      otherOrder = ofOwners ? old.orderColumn.map(quoted) : nil
    }
    let missing = migration.dialect.words.ifMissing
    var values = [owner, member]
    if let name = join.orderColumn {
      columns.append(name)
      values.append(Self.positions(of: member, for: owner, by: order, ifMissing: missing))
    }
    if let name = otherOrderColumn, name != join.orderColumn {
      columns.append(name)
      values.append(Self.positions(of: owner, for: member, by: otherOrder, ifMissing: missing))
    }
    try migration.execute(
      SQLFragment(
        text: "INSERT INTO \(quoted(join.table)) (\(columns.map(quoted).joined(separator: ", "))) "
          + "SELECT \(values.joined(separator: ", ")) FROM \(source) "
          + "WHERE \(owner) IS NOT NULL AND \(member) IS NOT NULL ON CONFLICT DO NOTHING"))
  }

  /// SQL for the old positions, or for positions computed from the keys where there are none: 2048,
  /// 3072, …
  private static func positions(
    of member: String, for owner: String, by order: String?, ifMissing: String
  ) -> String {
    let rank = order.map { "\($0) NULLS LAST, \(member)" } ?? member
    let numbered = "1024 + 1024 * row_number() OVER (PARTITION BY \(owner) ORDER BY \(rank))"
    return order.map { "\(ifMissing)(\($0), \(numbered))" } ?? numbered
  }
}
