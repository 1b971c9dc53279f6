/// What becomes of one join table of the new schema.
struct JoinMigration {
  let table: SQLSchema.JoinTable
  /// Whether the old table is just like it.
  let isKept: Bool
  /// One of the two relationships, with its side of the table.
  private let relationship: NSRelationshipDescription
  private let join: JoinMapping
  private let storage: RelationshipStorage?
  /// Positions on the other side.
  private let otherOrderColumn: String?
  private let otherStorage: RelationshipStorage?

  init(
    _ table: SQLSchema.JoinTable, _ relationship: NSRelationshipDescription, _ join: JoinMapping,
    in migration: SchemaMigration
  ) throws {
    self.table = table
    self.relationship = relationship
    self.join = join
    let owner = migration.entities.first { $0.new.layout.entity === relationship.entity }
    storage = owner.flatMap { migration.oldStorage(of: relationship, in: $0) }
    let inverse = relationship.inverseRelationship
    let member = migration.entities.first { $0.new.layout.entity === inverse?.entity }
    otherStorage = inverse.flatMap { inverse in
      member.flatMap { migration.oldStorage(of: inverse, in: $0) }
    }
    otherOrderColumn = inverse.flatMap { migration.new.join(of: $0)?.orderColumn }
    isKept = try Self.isSame(table, join, storage, migration)
  }

  private static func isSame(
    _ table: SQLSchema.JoinTable, _ join: JoinMapping, _ storage: RelationshipStorage?,
    _ migration: SchemaMigration
  ) throws -> Bool {
    guard case .join(let old)? = storage, old.table.uppercased() == table.name.uppercased(),
      old.ownerColumn.uppercased() == join.ownerColumn.uppercased(),
      old.memberColumn.uppercased() == join.memberColumn.uppercased()
    else { return false }
    let columns = [table.firstColumn, table.secondColumn] + table.orderColumns
    return try StoreCatalog(migration.connection).columns(of: table.name)
      == Set(columns.map { $0.uppercased() })
  }

  func run(_ migration: SchemaMigration) throws {
    guard !isKept else { return }
    try migration.connection.execute(table.creation)
    guard let storage else { return }
    let quoted = SQLIdentifier.quoted
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
      (owner, member) = ofOwners ? ("Z_PK", quoted(old.name)) : (quoted(old.name), "Z_PK")
      source = migration.currentName(table)
      order = ofOwners ? nil : old.orderColumn.map(quoted)
      otherOrder = ofOwners ? old.orderColumn.map(quoted) : nil
    }
    var values = [owner, member]
    if let name = join.orderColumn {
      columns.append(name)
      values.append(Self.positions(of: member, for: owner, by: order))
    }
    if let name = otherOrderColumn, name != join.orderColumn {
      columns.append(name)
      values.append(Self.positions(of: owner, for: member, by: otherOrder))
    }
    try migration.connection.execute(
      "INSERT OR IGNORE INTO \(quoted(table.name)) (\(columns.map(quoted).joined(separator: ", "))) "
        + "SELECT \(values.joined(separator: ", ")) FROM \(source) "
        + "WHERE \(owner) NOT NULL AND \(member) NOT NULL")
  }

  /// The old positions, or such as follow from the keys where there are none: 2048, 3072, …
  private static func positions(of member: String, for owner: String, by order: String?) -> String {
    let rank = order.map { "\($0) NULLS LAST, \(member)" } ?? member
    let numbered = "1024 + 1024 * row_number() OVER (PARTITION BY \(owner) ORDER BY \(rank))"
    return order.map { "IFNULL(\($0), \(numbered))" } ?? numbered
  }
}

extension SchemaMigration {
  func joinMigrations() throws -> [JoinMigration] {
    var relationships: [String: NSRelationshipDescription] = [:]
    for entity in entities {
      for relationship in entity.new.layout.toMany
      where relationship.entity === entity.new.layout.entity {
        guard let join = new.join(of: relationship), relationships[join.table] == nil else {
          continue
        }
        relationships[join.table] = relationship
      }
    }
    return try schema.tables.flatMap(\.joins).compactMap { table in
      guard let relationship = relationships[table.name], let join = new.join(of: relationship)
      else { return nil }
      return try JoinMigration(table, relationship, join, in: self)
    }
  }
}
