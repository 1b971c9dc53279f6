/// The location of an SQLite store.
///
///     file:///…/X.sqlite    a file, with X.sqlite-wal and X.sqlite-shm beside it while open
///     /dev/null             in memory, for this store alone
///     /dev/null/NAME        in memory, shared by the stores of the process with this name
enum StoreLocation: Equatable {
  case file(URL)
  case privateMemory
  case sharedMemory(String)

  private static let memoryPath = "/dev/null"

  /// Throws `persistentStoreOpen` for a URL that is not a file's.
  init(_ url: URL?) throws {
    guard let url, url.isFileURL else {
      throw CoreDataError.make(
        .persistentStoreOpen,
        reason: "A SQLite store needs a file URL, not "
          + "\(url.map { ServerStores.shown($0, ofType: NSSQLiteStoreType).absoluteString } ?? "none")."
      )
    }
    let path = url.path
    if path == Self.memoryPath {
      self = .privateMemory
    } else if path.hasPrefix(Self.memoryPath + "/") {
      self = .sharedMemory(String(path.dropFirst(Self.memoryPath.count + 1)))
    } else {
      self = .file(url)
    }
  }

  /// The store's file; nil for a store in memory.
  var file: URL? {
    if case .file(let url) = self { url } else { nil }
  }

  /// The folder of a store's external data: `.X_SUPPORT/_EXTERNAL_DATA` beside `X.sqlite`.
  static func externalFolder(of url: URL) -> URL {
    supportFolder(of: url).appendingPathComponent("_EXTERNAL_DATA", isDirectory: true)
  }

  static func supportFolder(of url: URL) -> URL {
    let name = url.deletingPathExtension().lastPathComponent
    // Explicitly a folder: else Foundation would ask the disk whether it is one.
    return URL(fileURLWithPath: "\(url.path.parentFolder)/.\(name)_SUPPORT", isDirectory: true)
  }
}
