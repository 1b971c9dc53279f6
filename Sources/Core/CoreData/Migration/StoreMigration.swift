import Foundation

/// Migrates the store at a URL to a version of the model, as its options require. Run by a
/// coordinator that is given a store of another version.
///
///     staged manager among the options   its stages, each a migration of its own
///     else: find the source model        in bundles and embedded models, then in the store itself
///           find the route               one or several steps: see MigrationRouting
///           SQLite and inferred          in place, in SQL, in one transaction
///           a server's store             likewise; only by inferred mapping models
///           anything else                step by step into new files; the last replaces the store
///
/// Source: developer.apple.com/documentation/coredata/migrating-your-data-model-automatically
struct StoreMigration {
  let url: URL
  let type: String
  /// Nil for all entities.
  let configuration: String?
  let options: [AnyHashable: Any]
  let destination: NSManagedObjectModel
  var progress = MigrationProgress.Part(progress: .ofCaller)
  /// The store of which this one is a temporary copy; the copy needs no backup. Nil for the store
  /// itself.
  var original: URL?
  /// The route to use instead of searching bundles and the store.
  var route: Route?
  /// Whether the migration fails if entities that the new model lacks have objects: see
  /// ``LostEntities``.
  private(set) var keepsEntities = false

  struct Route {
    let source: NSManagedObjectModel
    let mapping: NSMappingModel
    /// Whether the migration must not use SQL.
    var leavesPlace = false
  }

  /// Runs the migration; one at a time per store, across processes. A second process finds it done.
  ///
  /// Throws 134130 if no source model is found, 134140 if there is no mapping model and none can be
  /// inferred, 134120 if cancelled, and the errors of the migration itself.
  func run() throws {
    if try isOnServer {
      // The server makes other migrations wait.
      if try !fits() { try migrate() }
      return progress.report(1)
    }
    let timeout = storeOptions.timeout ?? StoreOptions.defaultTimeout
    let replacement = StoreReplacement(url: url, type: type)
    let lock = try MigrationLock(of: url, timeout: timeout)
    try withExtendedLifetime(lock) {
      // Files of a process that ended during a migration or after its last step.
      replacement.removeLeftovers()
      guard try !fits() else { return }
      try explainingFullDisk(url) { try migrate() }
    }
    progress.report(1)
  }

  private var server: (any ServerStore.Type)? {
    get throws { try StoreRegistry.storeClass(ofType: type) as? any ServerStore.Type }
  }

  var isOnServer: Bool { get throws { try server != nil } }

  private func migrate() throws {
    if let manager = try stagedManager() { return try manager.migrate(self) }
    do {
      guard let route else { return try migrateFromFoundVersion() }
      try migrate(from: route.source, to: destination)
    } catch {
      // Another process may have migrated the store meanwhile; then the data read so far is of two
      // versions.
      guard try fits() else { throw error }
    }
  }

  /// The staged migration manager among the options. Throws 134110 for an option of another type.
  func stagedManager() throws -> NSStagedMigrationManager? {
    guard let option = options[NSPersistentStoreStagedMigrationManagerOptionKey] else { return nil }
    guard let manager = option as? NSStagedMigrationManager else {
      throw CoreDataError.make(
        .migration,
        reason: "The option NSPersistentStoreStagedMigrationManagerOptionKey takes an "
          + "NSStagedMigrationManager, not a \(Swift.type(of: option)).")
    }
    return manager
  }

  private func migrateFromFoundVersion() throws {
    let found = try findSource()
    var migration = self
    migration.keepsEntities =
      !found.isOfProgram && !storeOptions.isOn(OpenCoreDataRemovesEntitiesOption)
    try migration.migrate(from: found.model, to: destination)
  }

  private func fits() throws -> Bool {
    destination.isConfiguration(
      withName: configuration, compatibleWithStoreMetadata: try metadata())
  }

  /// The migration of a copy of the store.
  func draft(at place: URL) -> StoreMigration {
    StoreMigration(
      url: place, type: type, configuration: configuration, options: options,
      destination: destination, progress: progress, original: url)
  }

  /// The name of the store's file, without its extension.
  var name: String { (original ?? url).deletingPathExtension().lastPathComponent }

  var storeOptions: StoreOptions { StoreOptions(options) }

  func metadata() throws -> [String: Any] {
    try StoreRegistry.storeClass(ofType: type).metadataForPersistentStore(with: url)
  }

  /// The model of the store. Throws 134130 if it is not found.
  func sourceModel() throws -> NSManagedObjectModel { try findSource().model }

  func findSource() throws -> SourceVersion.Found {
    try SourceVersion(
      url: url, type: type, configuration: configuration, models: MigrationModels(storeOptions),
      destination: destination
    ).find(metadata())
  }

  // MARK: - One route

  func migrate(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) throws {
    let route =
      try givenRoute(to: destination)
      ?? MigrationRouting(storeOptions).route(from: source, to: destination)
    try progress.checkCancelled()
    do { try follow(route, to: destination) } catch let error as NSError {
      throw Self.naming(ServerStores.shown(url, ofType: type), in: error)
    }
  }

  private func givenRoute(to destination: NSManagedObjectModel) -> MigrationRoute? {
    route.map { route in
      let step = MigrationRoute.Step(
        source: route.source, destination: destination, mapping: route.mapping, file: nil)
      return MigrationRoute(steps: [step])
    }
  }

  func isInSQL(_ step: MigrationRoute.Step) -> Bool {
    step.mapping.isInferred && type == NSSQLiteStoreType && !(route?.leavesPlace ?? false)
  }

  private func follow(_ route: MigrationRoute, to destination: NSManagedObjectModel) throws {
    if let server = try server { return try follow(route, on: server) }
    guard route.steps.allSatisfy(isInSQL) else {
      return try RouteByCopies(self, route: route).run()
    }
    try inPlace(route.steps, at: url, progress: progress)
  }

  private func follow(_ route: MigrationRoute, on server: any ServerStore.Type) throws {
    guard route.steps.allSatisfy(\.mapping.isInferred) else {
      throw CoreDataError.make(
        .migration,
        reason:
          "A store of type \(type) is migrated by inferred mapping models alone, and a mapping "
          + "model was found. Move the objects into a SQLite store, migrate that, and move them back: "
          + "migratePersistentStore(_:to:options:type:).")
    }
    try server.migrateStore(
      at: url, options: storeOptions, configuration: configuration, stops: stops(route.steps),
      progress: progress)
  }

  private func stops(_ steps: [MigrationRoute.Step]) -> [MigrationStop] {
    steps.map { step in
      MigrationStop(
        match: ModelMatch(source: step.source, destination: step.destination),
        layouts: layouts(of: step.destination), keepsEntities: keepsEntities)
    }
  }

  /// Runs steps in SQL, in one transaction.
  func inPlace(
    _ steps: [MigrationRoute.Step], at url: URL, progress: MigrationProgress.Part
  ) throws {
    let stops = stops(steps)
    guard let last = stops.last else { return }
    try SQLiteMigration(
      url: url, options: storeOptions, layouts: last.layouts, configuration: configuration,
      match: last.match, keepsEntities: keepsEntities, stops: stops.dropLast(), progress: progress
    ).run()
  }

  /// The layouts of the entities in a store of the configuration: whole hierarchies.
  func layouts(of model: NSManagedObjectModel) -> [EntityLayout] {
    let layouts = model.entityLayouts()
    guard let configuration else { return layouts }
    let members = Set(
      (model.entities(forConfigurationName: configuration) ?? []).map { $0.layout.rootNumber })
    return layouts.filter { members.contains($0.rootNumber) }
  }

  /// Adds the URL of the store to an error of the migration itself, under Apple's keys.
  private static func naming(_ url: URL, in error: NSError) -> NSError {
    guard error.domain == NSCocoaErrorDomain,
      [NSMigrationError, NSMigrationConstraintViolationError].contains(error.code)
    else { return error }
    var places: [String: Any] = ["sourceURL": url, "destinationURL": url]
    if url.isFileURL { places[NSFilePathErrorKey] = url.path }
    return NSError(
      domain: error.domain, code: error.code,
      userInfo: error.userInfo.merging(places) { own, _ in own })
  }
}
