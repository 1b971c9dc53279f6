import CoreData

extension PostgreSQLStore {
  func rows(_ plan: FetchPlan) throws -> [Row] {
    try reading(plan) { fetch, entity, contents, connection in
      try contents.rows(
        contents.selection(of: entity), fetch: fetch, limit: plan.limit, connection: connection)
    } finishing: {
      try $0.rows(plan)
    }
  }

  func identities(_ plan: FetchPlan) throws -> ContiguousArray<PackedIdentity> {
    try reading(plan) { fetch, entity, contents, connection in
      let quoted = SchemaNames.quoted
      let sql =
        "SELECT t0.\(quoted(SchemaNames.key)), t0.\(quoted(SchemaNames.entity)) "
        + "FROM \(quoted(entity.table)) t0\(fetch.tail)"
      let decoder = contents.decoder(contents.selection(of: entity))
      var found: ContiguousArray<PackedIdentity> = []
      try contents.results(of: sql, fetch.values, limit: plan.limit, connection: connection) {
        result in
        for line in 0..<result.count {
          let layout = decoder.layout(number: result.integer(line, column: 1)) ?? plan.layout
          guard let packed = decoder.packed(result.integer(line, column: 0), layout: layout) else {
            continue
          }
          found.append(packed)
        }
      }
      return found
    } finishing: {
      try $0.identities(plan)
    }
  }

  func count(_ plan: FetchPlan) throws -> Int {
    var plan = plan
    plan.sortDescriptors = []
    return try reading(plan) { fetch, entity, contents, connection in
      try contents.count(entity, fetch: fetch, connection: connection)
    } finishing: {
      try $0.count(plan)
    }
  }

  func table(_ plan: TablePlan) throws -> [[Any?]] {
    let contents = try contents
    return try contents.reporting(.read) {
      do { return try session(contents) { try $0.table(plan) } } catch let error
        as PostgreSQLError where error.isOutOfRange
      {
        // The server reports an error where a sum of doubles is infinite; memory returns infinity.
        return try session(contents) { try $0.computedTable(plan) }
      }
    }
  }

  /// Runs `body` if the server can evaluate the whole fetch. Otherwise runs `finishing`, which
  /// reads more rows in one transaction and finishes in memory.
  private func reading<Result>(
    _ plan: FetchPlan,
    body: (NarrowedFetch, EntityMapping, StoreContents, PostgreSQLConnection) throws -> Result,
    finishing: (ReadSession) throws -> Result
  ) throws -> Result {
    let contents = try contents
    let entity = try contents.schema.entity(plan.layout)
    let fetch = try NarrowedFetch(plan, entity: entity, store: contents.queryContext)
    return try contents.reporting(.read) {
      try contents.reading { connection in
        if fetch.isOrdered { return try body(fetch, entity, contents, connection) }
        return try connection.snapshot {
          try finishing(ReadSession(contents, connection: connection))
        }
      }
    }
  }

  private func session<Result>(
    _ contents: StoreContents, body: (ReadSession) throws -> Result
  ) throws -> Result {
    try contents.reading { connection in
      try connection.snapshot { try body(ReadSession(contents, connection: connection)) }
    }
  }

  // MARK: - By identity

  func row(of identity: NSManagedObjectID) throws -> Row? {
    try rows(of: [identity]).first
  }

  func rows(of identities: [NSManagedObjectID]) throws -> [Row] {
    guard !identities.isEmpty else { return [] }
    let contents = try contents
    let groups = Dictionary(grouping: identities) { $0.layout.rootNumber }
    return try contents.reporting(.read) {
      try contents.reading { connection in
        guard groups.count > 1 else {
          return try rows(groups.values.flatMap { $0 }, contents: contents, connection: connection)
        }
        // One snapshot for all trees of entities.
        return try connection.snapshot {
          try groups.values.flatMap { try rows($0, contents: contents, connection: connection) }
        }
      }
    }
  }

  /// The rows of one tree of entities: the root's selection covers all subentities.
  private func rows(
    _ identities: [NSManagedObjectID], contents: StoreContents,
    connection: PostgreSQLConnection
  ) throws -> [Row] {
    guard let first = identities.first else { return [] }
    let root = contents.schema.table(rootNumber: first.layout.rootNumber)?.root ?? first.layout
    return try contents.rows(identities.map(\.packed.key), of: root, connection: connection)
  }

  func rows(_ keys: [Int64], of layout: EntityLayout) throws -> [Row] {
    let contents = try contents
    return try contents.reporting(.read) {
      try contents.reading { try contents.rows(keys, of: layout, connection: $0) }
    }
  }

  // MARK: - Members

  func members(
    of relationship: NSRelationshipDescription, owner: NSManagedObjectID
  ) throws -> [NSManagedObjectID] {
    try members(of: relationship, owners: [owner.packed])[0]
  }

  func members(
    of relationship: NSRelationshipDescription, owners: [PackedIdentity]
  ) throws -> [[NSManagedObjectID]] {
    guard !owners.isEmpty, relationship.destinationEntity != nil else {
      return owners.map { _ in [] }
    }
    let contents = try contents
    let query = try MemberQuery(relationship, schema: contents.schema)
    let found = try contents.reporting(.read) {
      try contents.reading {
        try query.members(owners.map(\.key), contents: contents, connection: $0)
      }
    }
    return owners.map { found[$0.key] ?? [] }
  }
}
