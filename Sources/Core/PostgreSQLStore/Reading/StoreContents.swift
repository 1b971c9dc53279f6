import CoreData
import Synchronization

/// An open store: its connections and its schema, with caches of objects that are made from both.
///
/// Sendable: mutexes guard the caches; everything else is immutable or thread-safe.
final class StoreContents: @unchecked Sendable {
  let address: ServerAddress
  let pool: ConnectionPool
  /// The standbys that read for this store; nil if only the primary does.
  let replicas: Replicas?
  let schema: StoreSchema
  let identities: IdentitySpace
  let nilRule: NilRule
  let keys: KeyBlocks
  let tracksHistory: Bool
  /// Whether saves notify listeners, with or without a history.
  let postsChanges: Bool
  private let selections = Mutex<[Int: RowSelection]>([:])
  private let newRows = Mutex<[Int: NewRows]>([:])
  let shortQueries = ShortQueries()

  init(
    _ address: ServerAddress, pool: ConnectionPool, replicas: Replicas?, schema: StoreSchema,
    identities: IdentitySpace, options: StoreOptions
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

  /// The statements that record a transaction; nil for a store without history and remote changes.
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
      let made = RowSelection(entity, schema: schema)
      selections[entity.layout.number] = made
      return made
    }
  }

  /// The statements for new objects of an entity.
  func newRows(_ layout: EntityLayout) throws -> NewRows {
    try newRows.withLock { known in
      if let rows = known[layout.number] { return rows }
      let made = try NewRows(layout, schema: schema)
      known[layout.number] = made
      return made
    }
  }

  func decoder(_ selection: RowSelection) -> RowDecoder {
    RowDecoder(identities: identities, schema: schema, selection: selection)
  }

  /// Runs `body`, which must only read, on a standby if there are any, else on the primary. Repeats
  /// it if the connection is lost.
  func reading<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
    try replicas?.reading(body) ?? pool.reading(body)
  }

  /// Runs `body` and converts errors of the server to Cocoa errors.
  func reporting<Result>(
    _ action: PostgreSQLError.Action, body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch let error as PostgreSQLError {
      throw error.cocoaError(address, doing: action)
    }
  }
}
