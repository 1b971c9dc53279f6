import CoreData

/// A value that changes whenever another process saves: the state of a store's files, or of a
/// server.
enum StoreStamp: Equatable {
  /// Inode, size and time of the files change with the first page that is written; `committed`
  /// changes with the commit.
  case file([Int], committed: String?)
  case server(String)

  init(_ store: OpenedStore) throws {
    if let server = store.store as? any ServerStore {
      self = .server(try server.stateText())
    } else {
      self = .file(Self.numbers(store.url), committed: store.store.committedState)
    }
  }

  private static func numbers(_ url: URL) -> [Int] {
    ["", "-wal"].flatMap { suffix in
      var status = stat()
      // A file that does not exist yields zeros.
      guard stat(url.path + suffix, &status) == 0 else { return [0, 0, 0, 0] }
      return [
        Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
      ]
    }
  }
}
