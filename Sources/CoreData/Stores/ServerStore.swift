/// A store that is on a server: no file stands for it.
package protocol ServerStore: RowStore {
  /// How the URLs of such stores begin.
  static var schemes: Set<String> { get }

  /// Whether there is a store at a URL.
  static func hasStore(at url: URL, options: StoreOptions) throws -> Bool

  /// Removes the store at a URL with all that is in it.
  static func destroyStore(at url: URL, options: StoreOptions) throws

  /// Copies the store at `source` over the one at `destination`, if there is one: keys and UUID are the same then, and
  /// between servers the history. One of both may be a file of SQLite. Nothing happens when there is no store at the source.
  static func replaceStore(
    at destination: URL, options: StoreOptions, from source: URL, sourceOptions: StoreOptions
  ) throws

  /// The model that the store at a URL keeps of itself.
  static func storedModel(at url: URL) throws -> NSManagedObjectModel

  /// Whether the store at a URL notes its history.
  static func tracksHistory(at url: URL) throws -> Bool

  /// A URL as errors may show it: without passwords.
  static func withoutSecrets(_ url: URL) -> URL

  /// Leads the store at a URL over versions of its model to the last, in SQL and in one transaction: keys, UUID and
  /// history stay. Nothing is done when another process has done it meanwhile.
  ///
  /// - Parameter configuration: nil for all entities.
  static func migrateStore(
    at url: URL, options: StoreOptions, configuration: String?, stops: [MigrationStop],
    progress: MigrationProgress.Part
  ) throws

  /// Whether the store, which is loaded, is of a newer version of the model and has only gained what this program does not
  /// know.
  var isOfNewerModel: Bool { get }

  // MARK: - What tools ask

  /// What the server is asked for the results of a fetch of dictionaries.
  func explanation(of plan: TablePlan) throws -> StatementExplanation

  /// The rows of an entity and its subentities, with the versions that tell whether somebody has changed them.
  func rowVersions(of layout: EntityLayout) throws -> [RowVersion]

  /// Differs when anybody has written to the store meanwhile.
  func stateText() throws -> String

  /// What lies on the server.
  func tables() throws -> ServerTables
}

/// The row of an object, and how often it was saved.
package struct RowVersion: Sendable {
  package let identity: PackedIdentity
  package let version: Int64

  package init(identity: PackedIdentity, version: Int64) {
    self.identity = identity
    self.version = version
  }
}

/// What a store has on a server, as the server says it.
package struct ServerTables: Sendable {
  package struct Table: Sendable {
    package let name: String
    /// With its indexes.
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

  /// Its name and version.
  package var server: String
  package var mapping: SQLMapping
  package var tables: [Table] = []
  /// The number of rows by name.
  package var joinTables: [String: Int] = [:]
  /// Nil for a store that tracks none.
  package var history: History?

  package init(server: String, mapping: SQLMapping) {
    self.server = server
    self.mapping = mapping
  }
}
