/// A store on a server: it has no file.
package protocol ServerStore: RowStore {
  /// The URL schemes of such stores.
  static var schemes: Set<String> { get }

  /// Whether a store exists at a URL.
  static func hasStore(at url: URL, options: StoreOptions) throws -> Bool

  /// Removes the store at a URL with everything in it.
  static func destroyStore(at url: URL, options: StoreOptions) throws

  /// Copies the store at `source` over the one at `destination`, if the source exists. Keys and
  /// UUID are copied; between servers the history too. One of the two may be an SQLite file.
  static func replaceStore(
    at destination: URL, options: StoreOptions, from source: URL, sourceOptions: StoreOptions
  ) throws

  /// The model that is stored in the store at a URL.
  static func storedModel(at url: URL) throws -> NSManagedObjectModel

  /// Whether the store at a URL tracks its history.
  static func tracksHistory(at url: URL) throws -> Bool

  /// The URL without passwords, for error messages.
  static func withoutSecrets(_ url: URL) -> URL

  /// Migrates the store at a URL through versions of its model to the last one, in SQL and in one
  /// transaction. Keys, UUID and history stay. Does nothing if another process has migrated the
  /// store meanwhile.
  ///
  /// - Parameter configuration: nil for all entities.
  static func migrateStore(
    at url: URL, options: StoreOptions, configuration: String?, stops: [MigrationStop],
    progress: MigrationProgress.Part
  ) throws

  /// Whether the loaded store is of a newer version of the model that differs from this program's
  /// by additions alone.
  var isOfNewerModel: Bool { get }

  // MARK: - For tools

  /// The server's explanation of the statement that answers a fetch of dictionaries.
  func explanation(of plan: TablePlan) throws -> StatementExplanation

  /// The rows of an entity and its subentities with their versions, by which a tool detects
  /// changes.
  func rowVersions(of layout: EntityLayout) throws -> [RowVersion]

  /// A text that changes with every write to the store.
  func stateText() throws -> String

  /// The store's tables on the server.
  func tables() throws -> ServerTables
}

/// The identity of a row and its version.
package struct RowVersion: Sendable {
  package let identity: PackedIdentity
  package let version: Int64

  package init(identity: PackedIdentity, version: Int64) {
    self.identity = identity
    self.version = version
  }
}

/// The tables of a store on a server, as the server reports them.
package struct ServerTables: Sendable {
  package struct Table: Sendable {
    package let name: String
    /// The size of the table with its indexes.
    package let bytes: Int
    package let indexes: [String]

    package init(name: String, bytes: Int, indexes: [String]) {
      self.name = name
      self.bytes = bytes
      self.indexes = indexes
    }
  }

  package struct History: Sendable {
    package let transactions: Int
    package let changes: Int
    package let first: Date?
    package let last: Date?
    package let authors: [String]

    package init(
      transactions: Int, changes: Int, first: Date?, last: Date?, authors: [String]
    ) {
      self.transactions = transactions
      self.changes = changes
      self.first = first
      self.last = last
      self.authors = authors
    }
  }

  /// The server's name and version.
  package var server: String
  package var mapping: SQLMapping
  package var tables: [Table] = []
  /// The row counts of the join tables, by table name.
  package var joinTables: [String: Int] = [:]
  /// The extent of the history; nil for a store without history tracking.
  package var history: History?

  package init(server: String, mapping: SQLMapping) {
    self.server = server
    self.mapping = mapping
  }
}
