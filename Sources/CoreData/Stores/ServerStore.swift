/// A store that is on a server: no file stands for it.
package protocol ServerStore: RowStore {
  /// Removes the store at a URL with all that is in it.
  static func destroyStore(at url: URL, options: StoreOptions) throws
}
