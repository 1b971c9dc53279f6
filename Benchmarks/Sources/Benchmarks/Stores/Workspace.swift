import CoreData

/// A folder for the stores of a run, and the settings that every side must have.
final class Workspace {
  private let folder: URL
  private var fileCount = 0
  /// Ours, as it opens a store with no option of any kind; the peers are set to the same.
  private(set) var settings: ConnectionSettings?

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// The stores are of no use after the run; what cannot be removed stays in the temporary folder.
  func remove() { try? FileManager.default.removeItem(at: folder) }

  func newFile() -> URL {
    fileCount += 1
    return folder.appendingPathComponent("\(fileCount).sqlite")
  }

  /// A copy of a store that nobody has open.
  func copy(of store: URL) throws -> URL {
    let copy = newFile()
    try FileManager.default.copyItem(at: store, to: copy)
    return copy
  }

  /// A run that gets a new copy of a store; what the copy holds after the work is the proof of it.
  func onCopies(
    of store: URL, _ work: @escaping (URL, Workspace) throws -> Duration
  ) -> (Int) throws -> Outcome {
    { _ in
      let copy = try self.copy(of: store)
      defer { self.delete(copy) }
      let duration = try work(copy, self)
      return Outcome(duration: duration, checksum: try Checksum(ofStore: copy))
    }
  }

  /// Stores and section caches are of no use to the next scenario; what cannot be removed stays until
  /// the end.
  func clear() {
    NSFetchedResultsController<Item>.deleteCache(withName: nil)
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    for file in files ?? [] { try? FileManager.default.removeItem(at: file) }
  }

  /// A store is deleted with the files that write-ahead logging puts beside it.
  func delete(_ store: URL) {
    for suffix in ["", "-wal", "-shm"] {
      // Which of them exist depends on who closed the store last.
      try? FileManager.default.removeItem(atPath: store.path + suffix)
    }
  }

  /// Opens a side's connection and stops the comparison if its settings are not ours.
  func opening<Opened>(_ name: String, _ open: () throws -> Opened) throws -> Opened {
    let (opened, found) = try ConnectionWatch.settings(of: name, opening: open)
    let expected = settings ?? found
    settings = expected
    guard found == expected else {
      throw BenchmarkError.unequalSettings(name, expected: expected, found: found)
    }
    return opened
  }
}
