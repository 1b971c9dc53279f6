import Foundation

/// Migrates a copy of a store in a temporary folder, to find what only carrying the migration out can find: what
/// policies, handlers and expressions throw, and objects that are not valid.
struct MigrationRehearsal {
  let migration: StoreMigration

  /// Throws what the migration would throw.
  func run() throws {
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appendingPathComponent(
      "MigrationRehearsal-\(UUID().uuidString)")
    try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    // A copy that cannot be removed is the system's to clear.
    defer { try? manager.removeItem(at: folder) }
    let copy = folder.appendingPathComponent(migration.url.lastPathComponent)
    if migration.type == NSSQLiteStoreType {
      try StoreFiles(copy).replace(with: StoreFiles(migration.url))
    } else {
      try manager.copyItem(at: migration.url, to: copy)
    }
    try StoreMigration(
      url: copy, type: migration.type, configuration: migration.configuration,
      options: migration.options, destination: migration.destination,
      progress: MigrationProgress.Part(progress: nil)
    ).run()
  }
}
