import CoreData

/// The store as it is at one moment, for fetches that memory finishes: reads what a predicate or a sort
/// descriptor looks at, on one connection and inside one transaction.
///
/// What is looked at one by one is read one by one at first, and then a table at a time: a list of a million
/// authors' names must not take a million round trips.
///
/// Used by one thread for one fetch.
final class ReadSession: RowSource {
  /// So many single reads of a table, or of a relationship, lead to reading all of it.
  private static let patience = 8

  private let contents: StoreContents
  private let connection: PostgreSQLConnection
  private var known: [PackedIdentity: Row?] = [:]
  private var misses: [Int: Int] = [:]
  private var wholeTables: Set<Int> = []
  private var members: [Owner: [NSManagedObjectID]] = [:]
  private var memberMisses: [ObjectIdentifier: Int] = [:]
  private var wholeRelationships: Set<ObjectIdentifier> = []

  private struct Owner: Hashable {
    let relationship: ObjectIdentifier
    let key: Int64
  }

  init(_ contents: StoreContents, _ connection: PostgreSQLConnection) {
    self.contents = contents
    self.connection = connection
  }

  // MARK: - Fetches

  func rows(_ plan: FetchPlan) throws -> [Row] { try rows(plan, asksForPlainTexts: true) }

  /// - Parameter asksForPlainTexts: whether the server is asked if it can do the fetch alone.
  func rows(_ plan: FetchPlan, asksForPlainTexts: Bool) throws -> [Row] {
    let entity = try contents.schema.entity(plan.layout)
    let fetch = try NarrowedFetch(plan, entity: entity, store: contents.queryContext)
    let selection = contents.selection(of: entity)
    if asksForPlainTexts, let whole = try fetch.plain?.fetch(connection) {
      return try contents.rows(selection, whole, limit: plan.limit, connection)
    }
    let limit = fetch.isOrdered ? plan.limit : 0
    let rows = try contents.rows(selection, fetch, limit: limit, connection)
    if fetch.isOrdered { return rows }
    let reader = RowReader(source: self, nilRule: contents.nilRule)
    let found = fetch.isFiltered ? rows : try reader.filtered(rows, by: plan)
    return plan.window(try reader.sorted(found, by: plan.sortDescriptors))
  }

  func table(_ plan: TablePlan) throws -> [[Any?]] {
    if let fetch = TableFetch(plan, contents),
      let table = try fetch.table(plan, contents, connection)
    {
      return table
    }
    return try computedTable(plan)
  }

  /// Of rows, in memory.
  func computedTable(_ plan: TablePlan) throws -> [[Any?]] {
    var (rows, computed) = (plan.rows, plan)
    if plan.isGrouped || plan.isDistinct {
      // Limit and offset count the results.
      (rows.limit, rows.offset) = (0, 0)
    } else {
      (computed.rows.limit, computed.rows.offset) = (0, 0)
    }
    let reader = RowReader(source: self, nilRule: contents.nilRule)
    return try TableReader(reader: reader, plan: computed).table(try self.rows(rows))
  }

  // MARK: - What they look at

  func row(of identity: NSManagedObjectID) throws -> Row? {
    let packed = identity.packed
    if let row = known[PackedIdentity(root: packed, identity.layout)] { return row }
    let root = identity.layout.rootNumber
    if wholeTables.contains(root) { return nil }
    misses[root, default: 0] += 1
    guard misses[root, default: 0] > Self.patience else {
      let row = try contents.rows([packed.key], of: identity.layout, connection).first
      known[PackedIdentity(root: packed, identity.layout)] = .some(row)
      return row
    }
    try readWholeTable(root)
    return known[PackedIdentity(root: packed, identity.layout)] ?? nil
  }

  private func readWholeTable(_ root: Int) throws {
    wholeTables.insert(root)
    guard let layout = contents.schema.table(rootNumber: root)?.root else { return }
    let selection = contents.selection(of: try contents.schema.entity(layout))
    let decoder = contents.decoder(selection)
    try contents.results(of: selection.sql, [], limit: 0, connection) { result in
      for row in try decoder.rows(result) {
        known[PackedIdentity(root: row.packed, row.layout)] = row
      }
    }
  }

  func members(
    of relationship: NSRelationshipDescription, owner: NSManagedObjectID
  ) throws -> [NSManagedObjectID] {
    let name = ObjectIdentifier(relationship)
    let key = Owner(relationship: name, key: owner.packed.key)
    if let known = members[key] { return known }
    if wholeRelationships.contains(name) { return [] }
    memberMisses[name, default: 0] += 1
    let query = try MemberQuery(relationship, contents.schema)
    guard memberMisses[name, default: 0] > Self.patience else {
      let found = try query.members([owner.packed.key], contents, connection)
      members[key] = found[owner.packed.key] ?? []
      return members[key] ?? []
    }
    wholeRelationships.insert(name)
    for (owner, found) in try query.members(nil, contents, connection) {
      members[Owner(relationship: name, key: owner)] = found
    }
    return members[key] ?? []
  }
}

extension PackedIdentity {
  /// The same for an object whatever entity of its tree it is known by.
  fileprivate init(root packed: PackedIdentity, _ layout: EntityLayout) {
    self.init(
      storeOrdinal: packed.storeOrdinal, entityNumber: layout.rootNumber, key: packed.key)
  }
}
