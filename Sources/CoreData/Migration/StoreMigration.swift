import Foundation

/// Brings the store at a URL to a version of the model, as its options ask: what a coordinator does when it is
/// given a store of another version.
///
///     staged manager among the options   its stages, each a migration of its own
///     else: find the source model        in bundles and embedded models, then in the store itself
///           find a mapping model         in bundles; else infer one, if the options say so
///           SQLite and inferred          in place, in SQL
///           anything else                object by object into a file beside it, which takes its place
///
/// Source: developer.apple.com/documentation/coredata/migrating-your-data-model-automatically
struct StoreMigration {
  let url: URL
  let type: String
  /// Nil for all entities.
  let configuration: String?
  let options: [AnyHashable: Any]
  let destination: NSManagedObjectModel

  /// Throws 134130 when no source model is found, 134140 when there is neither a mapping model nor a way to infer
  /// one, and what the migration itself throws.
  func run() throws {
    if let manager = options[NSPersistentStoreStagedMigrationManagerOptionKey] {
      guard let manager = manager as? NSStagedMigrationManager else {
        throw CoreDataError.make(
          .migration,
          reason: "The option NSPersistentStoreStagedMigrationManagerOptionKey takes an "
            + "NSStagedMigrationManager, not a \(Swift.type(of: manager)).")
      }
      return try manager.migrate(self)
    }
    do { try migrate(from: try sourceModel(), to: destination) } catch {
      // Another process may have been faster: then what was read of the store is of two versions.
      guard try fits() else { throw error }
    }
  }

  private func fits() throws -> Bool {
    destination.isConfiguration(
      withName: configuration, compatibleWithStoreMetadata: try metadata())
  }

  var storeOptions: StoreOptions { StoreOptions(options) }

  func metadata() throws -> [String: Any] {
    try StoreRegistry.storeClass(ofType: type).metadataForPersistentStore(with: url)
  }

  // MARK: - Models

  func sourceModel() throws -> NSManagedObjectModel {
    let metadata = try metadata()
    if let model = NSManagedObjectModel.versionOfProgram(forStoreMetadata: metadata) {
      return model
    }
    let cached = try? StoreRegistry.storeClass(ofType: type).cachedModel(at: url)
    if let cached,
      let model = NSManagedObjectModel(byMerging: [cached], forStoreMetadata: metadata)
    {
      return model
    }
    throw CoreDataError.make(
      .migrationMissingSourceModel, reason: "Can't find model for source store",
      userInfo: ["URL": url, "metadata": metadata, NSFilePathErrorKey: url.path])
  }

  private func mappingModel(
    from source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) throws -> NSMappingModel {
    if let mapping = NSMappingModel(
      from: nil, forSourceModel: source, destinationModel: destination)
    {
      return mapping
    }
    let userInfo = ["sourceModel": source, "destinationModel": destination]
    guard storeOptions.infersMappingModel else {
      throw CoreDataError.make(
        .migrationMissingMappingModel, reason: "Can't find mapping model for migration",
        userInfo: userInfo)
    }
    do {
      return try NSMappingModel.inferredMappingModel(
        forSourceModel: source, destinationModel: destination)
    } catch {
      let reason = (error as NSError).localizedFailureReason ?? "\(error)"
      throw CoreDataError.make(
        .migrationMissingMappingModel,
        reason: "Can't find mapping model for migration, and none can be inferred: \(reason)",
        underlying: error, userInfo: userInfo)
    }
  }

  // MARK: - One step

  func migrate(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) throws {
    let mapping = try mappingModel(from: source, to: destination)
    if mapping.isInferred && type == NSSQLiteStoreType {
      return try SQLiteMigration(
        url: url, options: storeOptions, layouts: layouts(of: destination),
        configuration: configuration, match: ModelMatch(source: source, destination: destination)
      ).run()
    }
    try replace(from: source, to: destination, mapping)
  }

  /// The layouts of what a store of the configuration has: whole trees of entities.
  private func layouts(of model: NSManagedObjectModel) -> [EntityLayout] {
    let layouts = model.entityLayouts()
    guard let configuration else { return layouts }
    let members = Set(
      (model.entities(forConfigurationName: configuration) ?? []).map { $0.layout.rootNumber })
    return layouts.filter { members.contains($0.rootNumber) }
  }

  // MARK: - Object by object

  private func replace(
    from source: NSManagedObjectModel, to destination: NSManagedObjectModel,
    _ mapping: NSMappingModel
  ) throws {
    let name = UUID().uuidString.filter { $0 != "-" }.lowercased()
    let beside = url.deletingLastPathComponent().appendingPathComponent(
      ".\(url.lastPathComponent).migrationdestination_\(name)")
    let files = StoreReplacement(url: url, type: type)
    defer { files.remove(beside) }
    let manager = try managerClass().init(sourceModel: source, destinationModel: destination)
    var ownOptions = options
    for key in [
      NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption,
      NSPersistentStoreStagedMigrationManagerOptionKey,
      NSPersistentStoreRemoteChangeNotificationPostOptionKey,
    ] {
      ownOptions[key] = nil
    }
    try manager.migrateStore(
      from: url, sourceType: type, options: ownOptions, with: mapping, toDestinationURL: beside,
      destinationType: type, destinationOptions: ownOptions)
    try files.keepMetadata(of: url, in: beside)
    try files.put(beside)
  }

  private func managerClass() throws -> NSMigrationManager.Type {
    let storeClass = try StoreRegistry.storeClass(ofType: type)
    return storeClass.migrationManagerClass() as? NSMigrationManager.Type
      ?? NSMigrationManager.self
  }
}
