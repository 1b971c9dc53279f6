import Foundation
import KeyValueCoding

/// Migrates a store to another version of its model object by object, as described by a mapping
/// model.
///
/// The source store is only read. A new destination appears complete or not at all; objects are
/// added to an existing one in one save. Must not be used by two threads at once.
///
/// Source: developer.apple.com/documentation/coredata/nsmigrationmanager
open class NSMigrationManager: NSObject {
  /// The model of the source store.
  open private(set) var sourceModel: NSManagedObjectModel
  /// The model of the destination store.
  open private(set) var destinationModel: NSManagedObjectModel
  /// Whether an inferred mapping between SQLite stores is migrated in SQL, without objects and
  /// policies.
  open var usesStoreSpecificMigrationManager = true
  /// Custom data of the application.
  open var userInfo: [AnyHashable: Any]?

  /// The configuration of both stores; nil for all entities. Set by a migrating coordinator.
  final var configuration: String?
  private var migration: Migration?
  /// Nil before the first migration, and after a reset.
  private var associations: InstanceAssociations?
  private var cancellation: (any Error)?
  /// The progress of the store's migration; in a direct call, the caller's.
  final var progress: MigrationProgress.Part?

  /// The state of a running migration.
  private struct Migration {
    let mappingModel: NSMappingModel
    let source: MigrationStack
    let destination: MigrationStack
    var current: NSEntityMapping
    var progress: Float = 0
  }

  /// Makes a manager for migrations from one version of a model to another.
  public required init(
    sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
  ) {
    self.sourceModel = sourceModel
    self.destinationModel = destinationModel
    _ = Self.keyPathsAreNamed
  }

  // Swift does not know the names of a framework's key paths.
  private static let keyPathsAreNamed: Void = {
    KeyPathName.register(\NSMigrationManager.migrationProgress, as: "migrationProgress")
    KeyPathName.register(\NSMigrationManager.currentEntityMapping, as: "currentEntityMapping")
  }()

  // MARK: - Current migration

  /// The mapping model of the running migration. Traps if none is running, as do the next three
  /// properties.
  open var mappingModel: NSMappingModel { running.mappingModel }
  /// The context that reads the source store.
  open var sourceContext: NSManagedObjectContext { running.source.context }
  /// The context in which the destination objects are made.
  open var destinationContext: NSManagedObjectContext { running.destination.context }
  /// The mapping that is being processed.
  open var currentEntityMapping: NSEntityMapping { running.current }
  /// The completed fraction, from 0 to 1; 0 if no migration is running.
  /// ``migrationProgressDidChange()`` is called for each step.
  open var migrationProgress: Float { migration?.progress ?? 0 }

  private var running: Migration {
    guard let migration else {
      fatalError("This migration manager is not migrating anything; ask it from within a policy.")
    }
    return migration
  }

  /// Called after each change of ``migrationProgress`` or ``currentEntityMapping``, which are
  /// observed by key in Apple's framework.
  open func migrationProgressDidChange() {}

  /// Ends the running migration with an error after the current object; without one, the next
  /// migration ends before it begins.
  open func cancelMigrationWithError(_ error: any Error) { cancellation = error }

  /// Removes all associations of objects, so that the next migration of this manager starts afresh.
  open func reset() {
    associations = migration.map {
      InstanceAssociations($0.source.context, destination: $0.destination.context)
    }
  }

  // MARK: - Entities and instances

  /// The source entity of a mapping; nil if there is none.
  open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    migration?.source.entity(mEntity.sourceEntityName)
      ?? mEntity.sourceEntityName.flatMap { sourceModel.entitiesByName[$0] }
  }

  /// The destination entity of a mapping; nil if there is none.
  open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    migration?.destination.entity(mEntity.destinationEntityName)
      ?? mEntity.destinationEntityName.flatMap { destinationModel.entitiesByName[$0] }
  }

  /// Records that a destination object was made from a source object.
  open func associate(
    sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
    for entityMapping: NSEntityMapping
  ) {
    associations?.add(sourceInstance, destination: destinationInstance, mapping: entityMapping.name)
  }

  /// The destination objects that a mapping has made from the given source objects; nil stands for
  /// all.
  open func destinationInstances(
    forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    associations?.destinations(mapping: mappingName, sources: sourceInstances) ?? []
  }

  /// The source objects from which a mapping has made the given destination objects; nil stands for
  /// all.
  open func sourceInstances(
    forEntityMappingName mappingName: String, destinationInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    associations?.sources(mapping: mappingName, destinations: destinationInstances) ?? []
  }

  /// The destination objects of the given sources, from all mappings.
  final func destinationInstances(of sources: [NSManagedObject]) -> [NSManagedObject] {
    associations?.destinations(of: sources) ?? []
  }

  /// The result of `FUNCTION($manager, "selector:", …)` in a mapping's expressions, for selectors
  /// that are not a manager's own. A subclass overrides this method and calls `super` for unknown
  /// selectors; `@objc` methods of ported sources are found by their selector. Throws 134110.
  open func value(forSelector selector: String, arguments: [Any?]) throws -> Any? {
    if let method = NamedMembers.method(selector, of: type(of: self)),
      method.parameterCount == arguments.count
    {
      return try method.call(self, arguments)
    }
    throw CoreDataError.make(
      .migration,
      reason: "An expression asks the manager \(type(of: self)) for “\(selector)”. Override "
        + "value(forSelector:arguments:) and answer it there.")
  }

  // MARK: - Migrating

  /// Migrates a store to another one.
  ///
  /// Throws 134150 if the source cannot be opened, 134160 if the destination cannot be made or
  /// opened, 134140 without mappings or with mappings for other models, 134120 or the given error
  /// if cancelled, and 134110 with the underlying error for other failures.
  open func migrateStore(
    from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
    with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
    destinationOptions dOptions: [AnyHashable: Any]? = nil
  ) throws {
    guard let mappings else {
      throw CoreDataError.make(.migrationMissingMappingModel, reason: "No mapping model was given.")
    }
    let isOfStore = progress != nil
    if !isOfStore { progress = MigrationProgress.Part(progress: .ofCaller) }
    defer {
      if !isOfStore { progress = nil }
      cancellation = nil
    }
    try checkCancelled()
    try ManagedMigration(
      manager: self, mappings: mappings,
      source: .init(url: sourceURL, type: sStoreType, options: sOptions),
      destination: .init(url: dURL, type: dStoreType, options: dOptions)
    ).run()
  }

  /// Migrates a store to another one, given typed store types. Throws the errors of the method with
  /// types as strings.
  public final func migrateStore(
    from sourceURL: URL, type sourceType: NSPersistentStore.StoreType,
    options sourceOptions: [AnyHashable: Any]? = nil, mapping: NSMappingModel,
    to destinationURL: URL, type destinationType: NSPersistentStore.StoreType,
    options destinationOptions: [AnyHashable: Any]? = nil
  ) throws {
    try migrateStore(
      from: sourceURL, sourceType: sourceType.rawValue, options: sourceOptions, with: mapping,
      toDestinationURL: destinationURL, destinationType: destinationType.rawValue,
      destinationOptions: destinationOptions)
  }

  // MARK: - Support for running a migration

  final func begin(
    _ mappings: NSMappingModel, from source: MigrationStack, to destination: MigrationStack
  ) {
    migration = Migration(
      mappingModel: mappings, source: source, destination: destination,
      current: mappings.entityMappings.first ?? NSEntityMapping())
    associations = InstanceAssociations(source.context, destination: destination.context)
  }

  final func end() { migration = nil }

  final func advance(to mapping: NSEntityMapping, progress: Float) throws {
    let keys = ["currentEntityMapping", "migrationProgress"]
    for key in keys { willChangeValue(forKey: key) }
    migration?.current = mapping
    migration?.progress = progress
    for key in keys { didChangeValue(forKey: key) }
    self.progress?.report(Double(progress))
    migrationProgressDidChange()
    try checkCancelled()
  }

  /// The number of pairs of objects that a mapping has associated.
  final func instanceCount(of mapping: NSEntityMapping) -> Int {
    associations?.count(mapping: mapping.name) ?? 0
  }

  /// The destination objects of a range of the pairs, with their sources.
  final func instances(
    of mapping: NSEntityMapping, _ places: Range<Int>
  ) throws -> (destinations: [NSManagedObject], sources: [NSManagedObject]) {
    try associations?.batch(mapping: mapping.name, places) ?? ([], [])
  }

  final func holdDeletedInstances() { associations?.holdDeleted() }

  final func letGoOfSavedInstances() { associations?.letGoOfSaved() }

  final func checkCancelled() throws {
    if let failure = cancellation ?? associations?.failure { throw failure }
    try progress?.checkCancelled()
  }
}

extension NSMigrationManager: KeyValueObservable {}
