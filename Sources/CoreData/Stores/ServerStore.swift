/// A store that is on a server: no file stands for it.
package protocol ServerStore: RowStore {
  /// Whether there is a store at a URL.
  static func hasStore(at url: URL, options: StoreOptions) throws -> Bool

  /// Removes the store at a URL with all that is in it.
  static func destroyStore(at url: URL, options: StoreOptions) throws
}
