internal import CSQLite

/// An error of SQLite's. Made by the connection and its statements only; a store turns it into a
/// Cocoa error with ``cocoaError(url:doing:timeout:)``.
struct SQLiteError: Error {
  /// The extended result code.
  let code: Int32
  /// SQLite's message: names of tables and columns, no stored values.
  let message: String

  /// The result code without its extension.
  var primaryCode: Int32 { code & 0xFF }
  var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }
  var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }
  var isInterruption: Bool { primaryCode == SQLITE_INTERRUPT }
  var isFull: Bool { primaryCode == SQLITE_FULL }
  var isReadOnly: Bool { primaryCode == SQLITE_READONLY }
  /// Whether a reader has found a journal that must be rolled back: C's macro
  /// `SQLITE_READONLY_ROLLBACK`.
  var needsRollback: Bool { code == SQLITE_READONLY | 3 << 8 }
  /// Whether the file is no longer where it was opened: `SQLITE_READONLY_DBMOVED`.
  var hasLostFile: Bool { code == SQLITE_READONLY | 4 << 8 }
  static let busy = SQLiteError(code: SQLITE_BUSY, message: "database is locked")
  static let lostFile = SQLiteError(
    code: SQLITE_READONLY | 4 << 8, message: "another file lies where it was opened, or none")
  var isCannotOpen: Bool { primaryCode == SQLITE_CANTOPEN }
  /// Whether the cause may be that the files of the log could not be made.
  var mayLackFilesBeside: Bool { isCannotOpen || isReadOnly }
}

/// The action of a store that SQLite refused. It determines the Cocoa code of errors whose SQLite
/// code is general.
enum StoreAction: String {
  case open = "opening"
  case read = "reading"
  case save = "saving to"
}

extension SQLiteError {
  /// The error for the caller: Apple's code, SQLite's code underneath, the file, and advice.
  func cocoaError(url: URL?, doing action: StoreAction, timeout: TimeInterval = 0) -> NSError {
    let (code, advice) = translation(doing: action, timeout: timeout)
    let path = url?.path ?? "in memory"
    return CoreDataError.sqlite(
      code, resultCode: self.code,
      message:
        "SQLite refused while \(action.rawValue) the store at \(path): \(message). \(advice)",
      url: url)
  }

  private func translation(
    doing action: StoreAction, timeout: TimeInterval
  ) -> (CocoaError.Code, String) {
    switch primaryCode {
    case SQLITE_NOTADB, SQLITE_CORRUPT:
      (.fileReadCorruptFile, "The file is damaged or not a database; restore it from a copy.")
    case SQLITE_BUSY, SQLITE_LOCKED:
      (
        .persistentStoreTimeout,
        "Another connection has kept it locked for \(Int(timeout)) seconds; end that one, or set "
          + "NSPersistentStoreTimeoutOption."
      )
    case SQLITE_FULL:
      (.fileWriteOutOfSpace, "The disk is full; free some space and save again.")
    case SQLITE_READONLY where needsRollback:
      (
        .fileWriteNoPermission,
        "A process has ended in the midst of a save, and what it had begun is to be taken back before anybody reads: "
          + "open it once for writing, where its file and folder are writable."
      )
    case SQLITE_READONLY where hasLostFile:
      (
        .fileWriteNoPermission,
        "The file has been deleted, moved or replaced while the store was open. Put it back, or remove the store from "
          + "its coordinator and add it again."
      )
    case SQLITE_READONLY, SQLITE_PERM:
      (.fileWriteNoPermission, "Make the file and its folder writable, or open it read-only.")
    case SQLITE_CONSTRAINT where isOfKey:
      (
        .persistentStoreSave,
        "An earlier save of a new object failed, and another process has taken its key since: delete the object "
          + "and insert it again."
      )
    case SQLITE_CONSTRAINT where action == .save:
      (.managedObjectConstraintMerge, "A uniqueness constraint of the model is violated.")
    case SQLITE_ERROR where isOfDepth:
      (
        .coreData,
        "A predicate is nested deeper than this SQLite reads. Put conditions that AND or OR connects into "
          + "one compound, and values into one IN; or fetch with a wider predicate and filter the objects."
      )
    default: (Self.generalCode(action), "Check the disk, the folder and its permissions.")
    }
  }

  /// Whether a primary key occurs twice.
  private var isOfKey: Bool { message.hasSuffix(".Z_PK") }

  /// Whether a statement is nested too deep for SQLite's parser, or exceeds its limit of expression
  /// depth.
  private var isOfDepth: Bool {
    message.hasPrefix("parser stack overflow") || message.hasPrefix("Expression tree is too large")
  }

  private static func generalCode(_ action: StoreAction) -> CocoaError.Code {
    switch action {
    case .open: .persistentStoreOpen
    case .read: .sqlite
    case .save: .persistentStoreSave
    }
  }
}
