import CoreData

/// What is different once another process has saved: size and time of a store's file and of its log, or what a server
/// says.
enum StoreStamp: Equatable {
  case file([Int])
  case server(String)

  init(_ store: OpenedStore) throws {
    if let server = store.store as? any ServerStore {
      self = .server(try server.stateText())
    } else {
      self = .file(Self.numbers(store.url))
    }
  }

  private static func numbers(_ url: URL) -> [Int] {
    ["", "-wal"].flatMap { suffix in
      var status = stat()
      // A file that is not there has zeros.
      guard stat(url.path + suffix, &status) == 0 else { return [0, 0, 0, 0] }
      return [
        Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
      ]
    }
  }
}
