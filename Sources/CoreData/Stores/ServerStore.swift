/// A store that is on a server: no file stands for it.
package protocol ServerStore: RowStore {
  /// Whether there is a store at a URL.
  static func hasStore(at url: URL, options: StoreOptions) throws -> Bool

  /// Removes the store at a URL with all that is in it.
  static func destroyStore(at url: URL, options: StoreOptions) throws

  /// The model that the store at a URL keeps of itself.
  static func storedModel(at url: URL) throws -> NSManagedObjectModel

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
}
