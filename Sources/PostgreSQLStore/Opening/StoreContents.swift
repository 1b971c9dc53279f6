import CoreData
import Synchronization

/// An open store: its connections, its schema, and what is made of both once and kept.
///
/// Sendable: the caches have their lock, everything else is immutable or guards itself.
final class StoreContents: @unchecked Sendable {
  let address: ServerAddress
  let pool: ConnectionPool
  /// Who reads in the place of the primary; nil for it alone.
  let replicas: Replicas?
  let schema: StoreSchema
  let identities: IdentitySpace
  let nilRule: NilRule
  let keys: KeyBlocks
  let tracksHistory: Bool
  /// Whether saves are told to who listens, with a history or without one.
  let postsChanges: Bool
  private let selections = Mutex<[Int: RowSelection]>([:])
  private let newRows = Mutex<[Int: NewRows]>([:])
  let shortQueries = ShortQueries()

  init(
    _ address: ServerAddress, _ pool: ConnectionPool, _ replicas: Replicas?, _ schema: StoreSchema,
    _ identities: IdentitySpace, _ options: StoreOptions
  ) {
    self.address = address
    self.pool = pool
    self.replicas = replicas
    self.schema = schema
    self.identities = identities
    nilRule = options.nilRule
    keys = KeyBlocks()
    tracksHistory = options.tracksHistory
    postsChanges = options.postsRemoteChanges
  }

  /// What notes a transaction; nil for a store that nobody follows.
  var notes: HistoryNotes? {
    guard tracksHistory || postsChanges else { return nil }
    return HistoryNotes(schema: schema, storeUUID: identities.storeUUID, hasHistory: tracksHistory)
  }

  var queryContext: SQLQueryContext {
    SQLQueryContext(
      mapping: schema.mapping, storeUUID: identities.storeUUID, dialect: .postgreSQL,
      nilRule: nilRule)
  }

  func selection(of entity: EntityMapping) -> RowSelection {
    selections.withLock { selections in
      if let known = selections[entity.layout.number] { return known }
      let made = RowSelection(entity, schema)
      selections[entity.layout.number] = made
      return made
    }
  }

  /// What a save makes statements of for new objects.
  func newRows(_ layout: EntityLayout) throws -> NewRows {
    try newRows.withLock { known in
      if let rows = known[layout.number] { return rows }
      let made = try NewRows(layout, schema)
      known[layout.number] = made
      return made
    }
  }

  func decoder(_ selection: RowSelection) -> RowDecoder {
    RowDecoder(identities: identities, schema: schema, selection: selection)
  }

  /// Runs `body`, which only reads, on whoever reads for this store; anew when the connection is cut.
  func reading<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
    try replicas?.reading(body) ?? pool.reading(body)
  }

  /// Runs `body`, with what the server says made into errors for callers.
  func reporting<Result>(
    _ action: PostgreSQLError.Action, _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch let error as PostgreSQLError {
      throw error.cocoaError(address, doing: action)
    }
  }
}
