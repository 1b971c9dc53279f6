/// What tells one state of a SQLite store's files from another without opening them.
///
///     file          part        says
///     STORE         size, date  whether anything was moved into it
///     STORE         24 … 27     SQLite's change counter, for stores without a log
///     STORE-wal     size        whether there are transactions in the log; if so:
///     STORE-shm     16 … 39     the log's last frame, its checksum, and the log's salt
///
/// nil for stores of other types, which read their file once and keep it in memory.
enum StoreFileState {
  static func text(of store: NSPersistentStore) -> String? {
    guard store is SQLiteStore, let url = store.url, url.isFileURL, let main = facts(url.path),
      let counter = bytes(24..<28, of: url.path)
    else { return nil }
    let state = "\(store.identifier ?? "") \(main.size) \(main.date) \(counter)"
    guard let log = facts(url.path + "-wal"), log.size > 0 else { return state }
    guard let last = bytes(16..<40, of: url.path + "-shm") else { return nil }
    return "\(state) \(last)"
  }

  private static func facts(_ path: String) -> (size: Int, date: TimeInterval)? {
    // A file that is not there has no facts.
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      let size = attributes[.size] as? NSNumber, let date = attributes[.modificationDate] as? Date
    else { return nil }
    return (size.intValue, date.timeIntervalSinceReferenceDate)
  }

  private static func bytes(_ range: Range<Int>, of path: String) -> String? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    // A file that cannot be read has no state that one could rely on.
    guard let data = try? file.read(upToCount: range.upperBound), data.count == range.upperBound
    else { return nil }
    return data.suffix(range.count).map { String($0, radix: 16) }.joined(separator: ".")
  }
}
