/// Reading a store's file without creating or changing anything: neither the file, nor `-wal` and
/// `-shm` beside it, even if the folder is read-only.
///
///     journal mode   -shm      -wal              access
///     other          –         –                 ordinary
///     WAL            there     –                 ordinary: another process has the store open
///     WAL            missing   missing, empty    as a file that no process changes
///     WAL            missing   there             with the log's index in memory
///
/// The last two do not notice another process that opens the store afterwards. So each read first
/// compares the files' state, and uses a new connection if it has changed.
struct QuietReading {
  private let url: URL

  init(_ url: URL) { self.url = url }

  var access: SQLiteConnection.Access {
    guard usesLog, size("-shm") == nil else { return .readOnly }
    return (size("-wal") ?? 0) == 0 ? .immutable : .privateLog
  }

  /// The state of the files, which changes when another process opens the store or writes to it.
  struct State: Equatable {
    let file: FileState?
    let log: FileState?
    let hasIndex: Bool
  }

  struct FileState: Equatable {
    let size: Int
    let seconds: Int
    let nanoseconds: Int

    /// Nil if there is no file.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      size = Int(status.st_size)
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    }
  }

  var state: State {
    State(file: fileState(""), log: fileState("-wal"), hasIndex: fileState("-shm") != nil)
  }

  private func fileState(_ suffix: String) -> FileState? { FileState(url.path + suffix) }

  private func size(_ suffix: String) -> Int? { fileState(suffix)?.size }

  var usesLog: Bool {
    // A file that cannot be read is reported by the code that opens it.
    FileHead.read(FileHead.length, ofFileAt: url.path).map(FileHead.usesLog) ?? false
  }
}
