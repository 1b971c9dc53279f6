import Foundation

/// Migrates a copy of a store in a temporary folder, to find problems that only a migration shows:
/// errors of policies, handlers and expressions, and invalid objects.
struct MigrationRehearsal {
  let migration: StoreMigration

  /// Throws the errors of the migration.
  func run() throws {
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appendingPathComponent(
      "MigrationRehearsal-\(UUID().uuidString)")
    try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    // A copy that cannot be removed is left for the system to clear.
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
