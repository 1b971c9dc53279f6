import Foundation
import KeyValueCoding

/// Makes a store of one version of a model from a store of another, object by object, as a mapping model says.
///
/// The source store is only read. A destination that was not there before appears whole or not at all; one that
/// was is added to, in one save. Not to be used by two threads at once.
///
/// Source: developer.apple.com/documentation/coredata/nsmigrationmanager
open class NSMigrationManager: NSObject {
  /// The version that the source store was made with.
  public final let sourceModel: NSManagedObjectModel
  /// The version that the destination store is made with.
  public final let destinationModel: NSManagedObjectModel
  /// Whether an inferred mapping between SQLite stores is carried out in SQL, without objects and policies.
  open var usesStoreSpecificMigrationManager = true
  /// Anything that the application wants to attach.
  open var userInfo: [AnyHashable: Any]?

  /// The configuration that both stores are of; nil for all entities. Set by a coordinator that migrates.
  final var configuration: String?
  private var migration: Migration?
  /// Nil before the first migration, and after a reset.
  private var associations: InstanceAssociations?
  private var cancellation: (any Error)?
  /// What a migration of a store reports to; of one that is asked for directly, the caller's.
  final var progress: MigrationProgress.Part?

  /// What there is while a store is being migrated.
  private struct Migration {
    let mappingModel: NSMappingModel
    let source: MigrationStack
    let destination: MigrationStack
    var current: NSEntityMapping
    var progress: Float = 0
  }

  public required init(
    sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
  ) {
    self.sourceModel = sourceModel
    self.destinationModel = destinationModel
  }

  // MARK: - What is going on

  /// The mapping model of the migration at hand. Traps when there is none, as do the next three.
  open var mappingModel: NSMappingModel { running.mappingModel }
  /// The context that reads the source store.
  open var sourceContext: NSManagedObjectContext { running.source.context }
  /// The context in which the destination objects are made.
  open var destinationContext: NSManagedObjectContext { running.destination.context }
  /// The mapping that is being processed.
  open var currentEntityMapping: NSEntityMapping { running.current }
  /// From 0 to 1; 0 when nothing is being migrated. ``migrationProgressDidChange()`` is called for each step.
  open var migrationProgress: Float { migration?.progress ?? 0 }

  private var running: Migration {
    guard let migration else {
      fatalError("This migration manager is not migrating anything; ask it from within a policy.")
    }
    return migration
  }

  /// Called whenever ``migrationProgress`` or ``currentEntityMapping`` has changed, where Apple's are observed by
  /// key.
  open func migrationProgressDidChange() {}

  /// Has the migration end with an error, as soon as the object at hand is done; before a migration, has the next one
  /// end before it begins.
  open func cancelMigrationWithError(_ error: any Error) { cancellation = error }

  /// Forgets which objects belong together, so that the next migration of this manager starts afresh.
  open func reset() {
    associations = migration.map { InstanceAssociations($0.source.context, $0.destination.context) }
  }

  // MARK: - Entities and instances

  /// The source entity of a mapping.
  open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    migration?.source.entity(mEntity.sourceEntityName)
      ?? mEntity.sourceEntityName.flatMap { sourceModel.entitiesByName[$0] }
  }

  /// The destination entity of a mapping.
  open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    migration?.destination.entity(mEntity.destinationEntityName)
      ?? mEntity.destinationEntityName.flatMap { destinationModel.entitiesByName[$0] }
  }

  /// Notes that a destination object was made of a source object.
  open func associate(
    sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
    for entityMapping: NSEntityMapping
  ) {
    associations?.add(sourceInstance, destinationInstance, mapping: entityMapping.name)
  }

  /// The destination objects that a mapping has made of some source objects, of all for nil.
  open func destinationInstances(
    forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    associations?.destinations(mapping: mappingName, sources: sourceInstances) ?? []
  }

  /// The source objects of which a mapping has made some destination objects, of all for nil.
  open func sourceInstances(
    forEntityMappingName mappingName: String, destinationInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    associations?.sources(mapping: mappingName, destinations: destinationInstances) ?? []
  }

  /// What became of the members of a source relationship, whichever mapping made it.
  final func destinationInstances(of sources: [NSManagedObject]) -> [NSManagedObject] {
    associations?.destinations(of: sources) ?? []
  }

  /// Answers `FUNCTION($manager, "selector:", …)` of a mapping's expressions for selectors that are not a
  /// manager's own. A subclass overrides it and calls `super` for what it does not know; of ported sources, `@objc` methods
  /// are called. Throws 134110.
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

  /// Migrates a store into another one.
  ///
  /// Throws 134150 when the source cannot be opened, 134160 when the destination cannot, 134140 without mappings or
  /// with mappings for other models, 134120 or the given error when cancelled, and 134110 with the underlying error
  /// for whatever fails on the way.
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

  /// Migrates a store into another one; see
  /// ``migrateStore(from:sourceType:options:with:toDestinationURL:destinationType:destinationOptions:)``.
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

  // MARK: - For those who carry it out

  final func begin(
    _ mappings: NSMappingModel, from source: MigrationStack, to destination: MigrationStack
  ) {
    migration = Migration(
      mappingModel: mappings, source: source, destination: destination,
      current: mappings.entityMappings.first ?? NSEntityMapping())
    associations = InstanceAssociations(source.context, destination.context)
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

  /// How many pairs of objects a mapping has associated.
  final func instanceCount(of mapping: NSEntityMapping) -> Int {
    associations?.count(mapping: mapping.name) ?? 0
  }

  /// The destination objects of some of them, with their sources.
  final func instances(
    of mapping: NSEntityMapping, _ places: Range<Int>
  ) throws -> (destinations: [NSManagedObject], sources: [NSManagedObject]) {
    try associations?.batch(mapping: mapping.name, places) ?? ([], [])
  }

  final func holdDeletedInstances() { associations?.holdDeleted() }

  final func letGoOfSavedInstances() { associations?.letGoOfSaved() }

  final func checkCancelled() throws {
    if let cancellation { throw cancellation }
    try progress?.checkCancelled()
  }
}
