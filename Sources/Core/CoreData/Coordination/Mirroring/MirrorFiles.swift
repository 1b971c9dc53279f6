import Foundation

/// What a mirror keeps beside the file of a store: a store of its own, which goes when the store is
/// deleted or another one takes its place, and the lock of the engine that has the store.
package enum MirrorFiles {
  /// The mirror's own store, by the file of the store without symbolic links.
  package static func store(beside store: URL) -> URL { file("-sync", beside: store) }

  /// The lock, by the file of the store without symbolic links. It stays: another process may have
  /// it.
  package static func lock(beside store: URL) -> URL { file("-sync.lock", beside: store) }

  private static func file(_ suffix: String, beside store: URL) -> URL {
    store.deletingLastPathComponent().appendingPathComponent(store.lastPathComponent + suffix)
  }

  /// Deletes the mirror's own store. A mirror that has it open writes nothing any more that anybody
  /// reads.
  static func remove(beside store: URL) throws {
    guard store.isFileURL, store.path != "/dev/null" else { return }
    let path = Self.store(beside: store.resolvingSymlinksInPath()).path
    for suffix in ["", "-wal", "-shm", "-journal"]
    where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.removeItem(atPath: path + suffix)
    }
  }
}
