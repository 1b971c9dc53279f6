import CoreData

/// The store at one moment, for fetches that memory finishes. Reads the rows and members that
/// predicates and sort descriptors need, on one connection and in one transaction.
///
/// Rows are first read one by one; after several such reads, the whole table is read at once, to
/// avoid a round trip per row in large fetches.
///
/// Used by one thread for one fetch.
final class ReadSession: RowSource {
  /// The number of single reads of a table or relationship after which all of it is read.
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

  init(_ contents: StoreContents, connection: PostgreSQLConnection) {
    self.contents = contents
    self.connection = connection
  }

  // MARK: - Fetches

  func rows(_ plan: FetchPlan) throws -> [Row] {
    let (entity, fetch) = try narrowed(plan)
    let selection = contents.selection(of: entity)
    if fetch.isOrdered {
      return try contents.rows(selection, fetch: fetch, limit: plan.limit, connection: connection)
    }
    if let found = try firstRows(plan, fetch: fetch, selection: selection) { return found }
    if let whole = try fetch.plain?.fetch(connection) {
      return try contents.rows(selection, fetch: whole, limit: plan.limit, connection: connection)
    }
    // For a limited fetch, keys first, then only the requested rows.
    if plan.limit > 0, fetch.divided != nil {
      let identities = try identities(plan, fetch: fetch, entity: entity)
      let rows = try contents.rows(identities.map(\.key), of: plan.layout, connection: connection)
      let places = Dictionary(
        identities.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
      return rows.sorted { places[$0.packed.key, default: 0] < places[$1.packed.key, default: 0] }
    }
    let rows = try contents.rows(selection, fetch: fetch, limit: 0, connection: connection)
    let reader = RowReader(source: self, nilRule: contents.nilRule)
    let found = fetch.isFiltered ? rows : try reader.filtered(rows, by: plan)
    if fetch.isSorted { return plan.window(found) }
    return plan.window(try reader.sorted(found, by: plan.sortDescriptors))
  }

  private func narrowed(_ plan: FetchPlan) throws -> (EntityMapping, NarrowedFetch) {
    let entity = try contents.schema.entity(plan.layout)
    return (entity, try NarrowedFetch(plan, entity: entity, store: contents.queryContext))
  }

  func count(_ plan: FetchPlan) throws -> Int {
    let (entity, fetch) = try narrowed(plan)
    if let whole = try fetch.plain?.fetch(connection) {
      return try contents.count(entity, fetch: whole, connection: connection)
    }
    return try identities(plan).count
  }

  /// The number of doubtful rows that are read at once.
  private static let lookedAt = 8192

  func identities(_ plan: FetchPlan) throws -> ContiguousArray<PackedIdentity> {
    let (entity, fetch) = try narrowed(plan)
    if let found = try firstRows(plan, fetch: fetch, selection: contents.selection(of: entity)) {
      return ContiguousArray(found.map(\.packed))
    }
    if fetch.divided == nil { return ContiguousArray(try rows(plan).map(\.packed)) }
    return try identities(plan, fetch: fetch, entity: entity)
  }

  /// The keys of the matching rows. Memory checks the doubtful ones.
  private func identities(
    _ plan: FetchPlan, fetch: NarrowedFetch, entity: EntityMapping
  ) throws -> ContiguousArray<PackedIdentity> {
    guard let divided = fetch.divided else { return [] }
    let decoder = contents.decoder(contents.selection(of: entity))
    var found: ContiguousArray<PackedIdentity> = []
    var doubtful: [Int64] = []
    try contents.results(of: divided.sql, divided.values, limit: 0, connection: connection) {
      result in
      for line in 0..<result.count {
        let layout = decoder.layout(number: result.integer(line, column: 1)) ?? plan.layout
        guard let packed = decoder.packed(result.integer(line, column: 0), layout: layout) else {
          continue
        }
        found.append(packed)
        if result.integer(line, column: 2) != 0 { doubtful.append(packed.key) }
      }
    }
    if doubtful.isEmpty { return ContiguousArray(plan.window(found)) }
    var unwanted = Set(doubtful)
    let reader = RowReader(source: self, nilRule: contents.nilRule)
    for start in stride(from: 0, to: doubtful.count, by: Self.lookedAt) {
      let keys = Array(doubtful[start...].prefix(Self.lookedAt))
      let rows = try contents.rows(keys, of: plan.layout, connection: connection)
      for row in try reader.filtered(rows, by: plan) { unwanted.remove(row.packed.key) }
    }
    return ContiguousArray(plan.window(found.filter { !unwanted.contains($0.key) }))
  }

  /// The maximum limit and offset for which ``firstRows(_:fetch:selection:)`` is tried.
  private static let mostOfFirst = 1 << 12

  /// The requested rows of a sorted and limited fetch that memory filters. Reads the first few
  /// rows, then once more eight times as many. nil if these do not contain enough matches.
  private func firstRows(
    _ plan: FetchPlan, fetch: NarrowedFetch, selection: RowSelection
  ) throws -> [Row]? {
    guard !fetch.isOrdered, fetch.isSorted, plan.limit > 0, plan.limit <= Self.mostOfFirst,
      plan.offset <= Self.mostOfFirst
    else { return nil }
    let reader = RowReader(source: self, nilRule: contents.nilRule)
    let wanted = plan.offset + plan.limit
    for size in [max(256, wanted * 2), max(256, wanted * 2) * 8] {
      let rows = try contents.rows(
        selection, fetch: fetch.first(size), limit: size, connection: connection)
      let found = fetch.isFiltered ? rows : try reader.filtered(rows, by: plan)
      if found.count >= wanted || rows.count < size { return plan.window(found) }
    }
    return nil
  }

  func table(_ plan: TablePlan) throws -> [[Any?]] {
    if let fetch = TableFetch(plan, contents: contents),
      let table = try fetch.table(plan, contents: contents, connection: connection)
    {
      return table
    }
    return try computedTable(plan)
  }

  /// The dictionaries, made from rows in memory.
  func computedTable(_ plan: TablePlan) throws -> [[Any?]] {
    var (rows, computed) = (plan.rows, plan)
    if plan.isGrouped || plan.isDistinct {
      // Here limit and offset apply to the results.
      (rows.limit, rows.offset) = (0, 0)
    } else {
      (computed.rows.limit, computed.rows.offset) = (0, 0)
    }
    let reader = RowReader(source: self, nilRule: contents.nilRule)
    return try TableReader(reader: reader, plan: computed).table(try self.rows(rows))
  }

  // MARK: - Rows and members

  func row(of identity: NSManagedObjectID) throws -> Row? {
    let packed = identity.packed
    if let row = known[PackedIdentity(root: packed, identity.layout)] { return row }
    let root = identity.layout.rootNumber
    if wholeTables.contains(root) { return nil }
    misses[root, default: 0] += 1
    guard misses[root, default: 0] > Self.patience else {
      let row = try contents.rows([packed.key], of: identity.layout, connection: connection).first
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
    try contents.results(of: selection.sql, [], limit: 0, connection: connection) { result in
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
    let query = try MemberQuery(relationship, schema: contents.schema)
    guard memberMisses[name, default: 0] > Self.patience else {
      let found = try query.members([owner.packed.key], contents: contents, connection: connection)
      members[key] = found[owner.packed.key] ?? []
      return members[key] ?? []
    }
    wholeRelationships.insert(name)
    for (owner, found) in try query.members(nil, contents: contents, connection: connection) {
      members[Owner(relationship: name, key: owner)] = found
    }
    return members[key] ?? []
  }
}

extension PackedIdentity {
  /// The identity under the root entity, which is equal for an object under any entity of its tree.
  fileprivate init(root packed: PackedIdentity, _ layout: EntityLayout) {
    self.init(
      storeOrdinal: packed.storeOrdinal, entityNumber: layout.rootNumber, key: packed.key)
  }
}
