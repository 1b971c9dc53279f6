/// Where a SQLite store is.
///
///     file:///…/X.sqlite    the file, with X.sqlite-wal and X.sqlite-shm beside it while it is open
///     /dev/null             in memory, for this store alone
///     /dev/null/NAME        in memory, shared by the stores of the process that give this name
enum StoreLocation: Equatable {
  case file(URL)
  case privateMemory
  case sharedMemory(String)

  private static let memoryPath = "/dev/null"

  /// Throws for a URL that is no file's.
  init(_ url: URL?) throws {
    guard let url, url.isFileURL else {
      throw CoreDataError.make(
        .persistentStoreOpen,
        reason: "A SQLite store needs a file URL, not "
          + "\(url.map { StoreRegistry.shown($0, ofType: NSSQLiteStoreType).absoluteString } ?? "none")."
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

  /// The store's file; nil for one in memory.
  var file: URL? {
    if case .file(let url) = self { url } else { nil }
  }

  /// Where external data of a store are: `.X_SUPPORT/_EXTERNAL_DATA` beside `X.sqlite`.
  static func externalFolder(of url: URL) -> URL {
    supportFolder(of: url).appendingPathComponent("_EXTERNAL_DATA", isDirectory: true)
  }

  static func supportFolder(of url: URL) -> URL {
    let name = url.deletingPathExtension().lastPathComponent
    // Foundation would ask the disk whether this is a folder.
    return URL(fileURLWithPath: "\(url.path.parentFolder)/.\(name)_SUPPORT", isDirectory: true)
  }
}
