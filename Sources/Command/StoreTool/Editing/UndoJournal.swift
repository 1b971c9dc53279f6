import CoreData

/// The changes of a save of this tool, stored beside the backup made before it.
///
///     Books.sqlite
///     Books.sqlite.backups/
///       2026-11-23T01-30-00.123Z-4711.sqlite    the store before the save, by the process 4711
///       2026-11-23T01-30-00.123Z-4711.json      the objects that the save changed
///
/// A store on a server is not copied. Its journal contains the former values of the objects and is
/// stored in the user's folder `~/.local/state/coredata` (or below `XDG_STATE_HOME`), in a
/// subfolder named after the store's UUID.
package struct UndoJournal: Codable, Sendable {
  package let title: String
  package var inserted: [String] = []
  package var updated: [String]
  package var deleted: [String]
  /// For a store on a server: the former state of updated and deleted objects, by name.
  var former: [String: ExchangedObject]?
  /// The values that the save left in inserted and updated objects, by name. Nil in a journal of an
  /// earlier version.
  var left: [String: LeftValues]? = [:]
  /// The current names of objects that were re-inserted after this change, by their names at its
  /// time.
  var renamed: [String: String]?

  init(title: String, updated: [String], deleted: [String]) {
    self.title = title
    self.updated = updated
    self.deleted = deleted
  }

  private static func folder(of store: OpenedStore) -> URL {
    if store.format.isFile { return StoreBackup.folder(of: store.url) }
    return StoreBackup.folder(ofServersStore: store.metadata)
  }

  /// Copies the store, external data included; it may be in use. For a store on a server, returns
  /// the URL of the journal, whose content ``keep(_:of:)`` reads.
  package static func makeBackup(of store: OpenedStore) throws -> URL {
    let folder = folder(of: store)
    do {
      try StoreBackup.makeFolder(folder)
      // Two commands may start at the same moment.
      let name =
        ISODate.text(Date()).replacing(":", with: "-")
        + "-\(ProcessInfo.processInfo.processIdentifier)"
      let form = store.format.isFile ? store.url.pathExtension : "json"
      var backup = folder.appendingPathComponent("\(name).\(form)")
      var number = 1
      while FileManager.default.fileExists(atPath: backup.path) {
        number += 1
        backup = folder.appendingPathComponent("\(name)-\(number).\(form)")
      }
      if store.format.isFile { try StoreCopying.copy(store.url, format: store.format, to: backup) }
      return backup
    } catch {
      throw ToolError(
        .cannotCreate,
        description:
          "No backup could be made in \(folder.path), so nothing was changed: \(ToolError(error)). Make room "
          + "there, or use --no-backup.")
    }
  }

  /// Records objects of a store on a server as they are. Call it before the save that changes them.
  mutating func keep(_ names: [String], of store: OpenedStore) throws {
    guard !store.format.isFile else { return }
    let wanted = names.filter { former?[$0] == nil && !inserted.contains($0) }
    try store.withContext { context in
      for name in wanted {
        // An object that was deleted meanwhile makes the save fail.
        guard let object = try? store.object(name, in: context) else { continue }
        former = former ?? [:]
        former?[name] = ExchangedObject(object)
      }
    }
  }

  /// Records the values that a save has left. Call it after the save.
  ///
  /// - Parameters:
  ///   - inserted: the inserted objects.
  ///   - updated: the updated objects, with the properties that the save has changed; nil for all.
  mutating func noteLeft(
    inserted: [NSManagedObject], updated: [(object: NSManagedObject, keys: Set<String>?)]
  ) {
    for object in inserted { left?[CellText.name(of: object.objectID)] = LeftValues(object) }
    for (object, keys) in updated {
      let name = CellText.name(of: object.objectID)
      let values = LeftValues(object, keys: keys)
      if left?[name]?.take(values) == nil { left?[name] = values }
    }
  }

  /// Adds the new names of re-inserted objects to the remaining journals.
  static func note(renamed names: [String: String], of store: OpenedStore) throws {
    guard !names.isEmpty else { return }
    let folder = folder(of: store)
    // Without a folder there are no journals.
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in files where name.hasSuffix(".json") {
      let file = folder.appendingPathComponent(name)
      var journal = try JSONDecoder().decode(UndoJournal.self, from: Data(contentsOf: file))
      let known = journal.renamed ?? [:]
      journal.renamed = known.mapValues { names[$0] ?? $0 }.merging(names) { former, _ in former }
      try Data(JSONReport.text(journal).utf8).write(to: file, options: .atomic)
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

  /// The newest journal and its backup; nil if this tool has changed nothing.
  static func newest(of store: OpenedStore) throws -> (journal: UndoJournal, backup: URL)? {
    let folder = folder(of: store)
    // Without a folder there are no journals.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    guard let name = names.filter({ $0.hasSuffix(".json") }).max() else { return nil }
    let file = folder.appendingPathComponent(name)
    let journal = try JSONDecoder().decode(UndoJournal.self, from: Data(contentsOf: file))
    guard store.format.isFile else { return (journal, file) }
    let backup = file.deletingPathExtension().appendingPathExtension(store.url.pathExtension)
    return (journal, backup)
  }
}
