import CoreData

/// What a save of this tool changed, beside the backup that was made before it.
///
///     Books.sqlite
///     Books.sqlite.backups/
///       2026-11-23T01-30-00.123Z.sqlite    the store before the save
///       2026-11-23T01-30-00.123Z.json      which objects the save changed
package struct UndoJournal: Codable, Sendable {
  package let title: String
  package var inserted: [String] = []
  package var updated: [String]
  package var deleted: [String]

  init(title: String, updated: [String], deleted: [String]) {
    self.title = title
    self.updated = updated
    self.deleted = deleted
  }

  private static func folder(of store: URL) -> URL {
    store.deletingLastPathComponent().appendingPathComponent(store.lastPathComponent + ".backups")
  }

  /// A copy of the store as it is, external data included, which may be in use meanwhile.
  package static func makeBackup(of store: OpenedStore) throws -> URL {
    let folder = folder(of: store.url)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let name = ISODate.text(Date()).replacing(":", with: "-")
      var backup = folder.appendingPathComponent("\(name).\(store.url.pathExtension)")
      var number = 1
      while FileManager.default.fileExists(atPath: backup.path) {
        number += 1
        backup = folder.appendingPathComponent("\(name)-\(number).\(store.url.pathExtension)")
      }
      try StoreCopying.copy(store.url, store.format, to: backup)
      return backup
    } catch {
      throw ToolError(
        .cannotCreate,
        "No backup could be made in \(folder.path), so nothing was changed: \(ToolError(error)). Make room "
          + "there, or use --no-backup.")
    }
  }

  static func remove(_ backup: URL) throws {
    let manager = FileManager.default
    let stem = backup.deletingPathExtension().lastPathComponent
    for name in try manager.contentsOfDirectory(atPath: backup.deletingLastPathComponent().path)
    where name.hasPrefix(stem + ".") || name == ".\(stem)_SUPPORT" {
      try manager.removeItem(at: backup.deletingLastPathComponent().appendingPathComponent(name))
    }
  }

  func write(beside backup: URL) throws {
    let file = backup.deletingPathExtension().appendingPathExtension("json")
    try Data(JSONReport.text(self).utf8).write(to: file, options: .atomic)
  }

  /// The newest one with its backup; nil when nothing was changed by this tool.
  static func newest(of store: URL) throws -> (journal: UndoJournal, backup: URL)? {
    let folder = folder(of: store)
    // Without a folder there was no change.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    guard let name = names.filter({ $0.hasSuffix(".json") }).max() else { return nil }
    let file = folder.appendingPathComponent(name)
    let journal = try JSONDecoder().decode(UndoJournal.self, from: Data(contentsOf: file))
    let backup = file.deletingPathExtension().appendingPathExtension(store.pathExtension)
    return (journal, backup)
  }
}
