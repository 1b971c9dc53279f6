import Foundation

/// Follows a route that SQL alone cannot. Each step makes a new store from the result of the
/// previous one; the last replaces the old store. Until then the old store is only read.
struct RouteByCopies {
  let migration: StoreMigration
  let route: MigrationRoute

  init(_ migration: StoreMigration, route: MigrationRoute) {
    self.migration = migration
    self.route = route
  }

  func run() throws {
    let files = StoreReplacement(
      url: migration.url, type: migration.type, timeout: migration.storeOptions.timeout,
      keepsBackup: migration.original == nil)
    try files.run { beside in
      try make(beside, files: files)
      try migration.progress.checkCancelled()
    }
  }

  private func make(_ beside: URL, files: StoreReplacement) throws {
    var made: [URL] = []
    defer { for url in made { files.remove(url) } }
    var last = migration.url
    for (index, steps) in legs.enumerated() {
      let isLast = index + 1 == legs.count
      let next = isLast ? beside : beside.appendingPathExtension("\(index)")
      if !isLast { made.append(next) }
      try take(
        steps, from: last, to: next, progress: migration.progress.part(index, of: legs.count))
      if last != migration.url { files.remove(last) }
      last = next
    }
  }

  /// The steps, with consecutive ones in SQL combined.
  private var legs: [[MigrationRoute.Step]] {
    var legs: [[MigrationRoute.Step]] = []
    for step in route.steps {
      if migration.isInSQL(step), let last = legs.last?.last, migration.isInSQL(last) {
        legs[legs.count - 1].append(step)
      } else {
        legs.append([step])
      }
    }
    return legs
  }

  private func take(
    _ steps: [MigrationRoute.Step], from source: URL, to target: URL,
    progress: MigrationProgress.Part
  ) throws {
    guard let step = steps.first else { return }
    let former = StoreReplacement(url: source, type: migration.type)
    if migration.isInSQL(step) {
      try former.copy(to: target)
      return try migration.inPlace(steps, at: target, progress: progress)
    }
    let manager = try managerClass().init(
      sourceModel: step.source, destinationModel: step.destination)
    manager.configuration = migration.configuration
    manager.usesStoreSpecificMigrationManager = !(migration.route?.leavesPlace ?? false)
    manager.progress = progress
    let options = options(of: source)
    try manager.migrateStore(
      from: source, sourceType: migration.type, options: options, with: step.mapping,
      toDestinationURL: target, destinationType: migration.type, destinationOptions: options)
    try former.keepMetadata(in: target)
  }

  private func options(of source: URL) -> [AnyHashable: Any] {
    var options = migration.options.forMigratedStore
    if migration.type == NSSQLiteStoreType, let size = StoreFile(url: source).pageSize {
      // The pages are copied into the old file, so the page sizes must be equal.
      var pragmas = options[NSSQLitePragmasOption] as? [String: Any] ?? [:]
      pragmas["page_size"] = "\(size)"
      options[NSSQLitePragmasOption] = pragmas
    }
    return options
  }

  private func managerClass() throws -> NSMigrationManager.Type {
    let storeClass = try StoreRegistry.storeClass(ofType: migration.type)
    return storeClass.migrationManagerClass() as? NSMigrationManager.Type
      ?? NSMigrationManager.self
  }
}
