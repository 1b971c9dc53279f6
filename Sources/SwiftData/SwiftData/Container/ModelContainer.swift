import CoreData
import Foundation
import Synchronization

/// Stores and the schema of what they hold; contexts work on it.
///
/// Sendable: contexts of all threads share it.
///
/// Source: developer.apple.com/documentation/swiftdata/modelcontainer
public class ModelContainer: Equatable, @unchecked Sendable {
  /// The plan that older stores were migrated by; nil: the migration was inferred.
  public final let migrationPlan: (any SchemaMigrationPlan.Type)?
  /// The container's own stores; custom stores are not among them.
  public var configurations: Set<ModelConfiguration>
  final let stores: OpenStores
  private let madeMainContext = Mutex<MainContext>(MainContext())

  // Sendable: used on the main actor alone.
  private struct MainContext: @unchecked Sendable {
    var context: ModelContext?
  }

  /// Opens the stores of models; see ``init(for:migrationPlan:configurations:)``.
  public convenience init(
    for forTypes: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws {
    try self.init(
      for: Schema(forTypes), migrationPlan: migrationPlan, configurations: configurations)
  }

  /// Opens the stores of a schema; see ``init(for:migrationPlan:configurations:)``.
  public convenience init(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws {
    try self.init(for: givenSchema, migrationPlan: migrationPlan, configurations: configurations)
  }

  /// Opens the stores, making those that are not there and migrating older ones.
  ///
  /// Without a configuration the store is `default.store` in the program's folder. Throws
  /// ``SwiftDataError/loadIssueModelContainer`` with what the store said underneath.
  public convenience init(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: [ModelConfiguration]
  ) throws {
    try self.init(opening: configurations, givenSchema, migrationPlan: migrationPlan)
  }

  /// Opens custom stores, beside the container's own or without them: see ``DataStore``.
  ///
  /// What a custom store throws when it is opened is thrown as it is.
  @_disfavoredOverload
  public convenience init(
    for forTypes: any PersistentModel.Type..., configurations: any DataStoreConfiguration...
  ) throws {
    try self.init(opening: configurations, Schema(forTypes), migrationPlan: nil)
  }

  /// Opens custom stores for a schema; see ``DataStore``.
  @_disfavoredOverload
  public convenience init(
    for givenSchema: Schema, configurations: [any DataStoreConfiguration]
  ) throws {
    try self.init(opening: configurations, givenSchema, migrationPlan: nil)
  }

  private init(
    opening configurations: [any DataStoreConfiguration], _ schema: Schema,
    migrationPlan: (any SchemaMigrationPlan.Type)?
  ) throws {
    let given = configurations.isEmpty ? [ModelConfiguration(schema: schema)] : configurations
    try Self.check(given, schema: schema)
    self.migrationPlan = migrationPlan
    self.configurations = Set(given.compactMap { $0 as? ModelConfiguration })
    let model = ManagedModelBuilder.model(of: schema)
    for configuration in given {
      let entities = (configuration.schema ?? schema).entities.compactMap {
        model.entitiesByName[$0.name]
      }
      model.setEntities(entities, forConfigurationName: configuration.name)
    }
    stores = OpenStores(NSPersistentStoreCoordinator(managedObjectModel: model), schema: schema)
    for configuration in given {
      if let configuration = configuration as? ModelConfiguration {
        try open(configuration, isOneOfSeveral: given.count > 1)
      } else {
        try openCustom(configuration, isOneOfSeveral: given.count > 1)
      }
    }
    stores.followOtherProcesses(given.compactMap { $0 as? ModelConfiguration })
    stores.noteContainer(self)
  }

  private func openCustom<Configuration: DataStoreConfiguration>(
    _ given: Configuration, isOneOfSeveral: Bool
  ) throws {
    var configuration = given
    if configuration.schema == nil { configuration.schema = schema }
    KnownSchemas.note(schema)
    let store = try Configuration.Store(configuration, migrationPlan: migrationPlan)
    KnownSchemas.note(schema, ofStore: store.identifier)
    let access = LockedDataStore(store, schema: schema)
    stores.customStores.append(
      try SnapshotStore.add(
        access, named: configuration.name,
        configuration: isOneOfSeveral ? configuration.name : nil, to: coordinator))
  }

  /// Over stores that are open already: during a migration, and for a context whose container is
  /// gone.
  init(_ stores: OpenStores, mainContext: ModelContext? = nil) {
    self.stores = stores
    migrationPlan = nil
    configurations = []
    madeMainContext.withLock { $0.context = mainContext }
    stores.noteContainer(self)
  }

  /// The models of the container.
  public final var schema: Schema { stores.schema }

  final var coordinator: NSPersistentStoreCoordinator { stores.coordinator }

  /// What keeps its stores equal to others.
  package final var mirrors: StoreMirrors { stores.mirrors }

  private static func check(
    _ configurations: [any DataStoreConfiguration], schema: Schema
  ) throws {
    for case let type? in schema.entities.map(\.modelType) { try type.checkKeyPaths() }
    var names: Set<String> = []
    var urls: Set<URL> = []
    for configuration in configurations {
      try configuration.validate()
      let own = configuration as? ModelConfiguration
      let isNew = names.insert(configuration.name).inserted
      let isNewFile = own.map { $0.isStoredInMemoryOnly || urls.insert($0.url).inserted } ?? true
      if !isNew || !isNewFile {
        let file = own.map { ", or have the file \($0.url.path)" } ?? ""
        throw SwiftDataError(
          .duplicateConfiguration,
          explanation: "Two configurations are named “\(configuration.name)”\(file)")
      }
      for entity in configuration.schema?.entities ?? []
      where schema.entitiesByName[entity.name] == nil {
        throw SwiftDataError(
          .configurationSchemaNotFoundInContainerSchema,
          explanation:
            "The configuration “\(configuration.name)” has the model \(entity.name), and the container's schema only "
            + schema.entities.map(\.name).sorted().joined(separator: ", "))
      }
    }
  }

  private func open(_ configuration: ModelConfiguration, isOneOfSeveral: Bool) throws {
    let description = NSPersistentStoreDescription(url: configuration.url)
    description.type = NSSQLiteStoreType
    description.configuration = isOneOfSeveral ? configuration.name : nil
    description.isReadOnly = !configuration.allowsSave
    description.cloudKitContainerOptions = configuration.cloudKitDatabase.options
    description.shouldMigrateStoreAutomatically = true
    description.shouldInferMappingModelAutomatically = true
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    if configuration.isFollowed {
      description.setOption(
        true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
    }
    do {
      if configuration.removesModelsOutsideOfSchema {
        description.setOption(true as NSNumber, forKey: OpenCoreDataRemovesEntitiesOption)
      }
      if let former = configuration.formerURL, configuration.allowsSave {
        let place = FormerPlace(
          former: former, url: configuration.url, type: NSSQLiteStoreType)
        try place.moveIn(of: coordinator.managedObjectModel)
      }
      if !configuration.isStoredInMemoryOnly {
        try FileManager.default.createDirectory(
          at: configuration.url.deletingLastPathComponent(), withIntermediateDirectories: true)
      }
      if let migrationPlan {
        let all = isOneOfSeveral ? Array(configurations) : []
        let stages = try MigrationStages(migrationPlan, schema: schema, configurations: all)
        try stages.check(configuration, isOneOfSeveral: isOneOfSeveral)
        description.setOption(
          stages.manager, forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
      }
      do { try add(description) } catch let error as NSError
        where error.code == NSPersistentStoreOpenError && configuration.isFollowed
      {
        // The machine may let nobody watch files. A store that does not open for another reason
        // fails again.
        description.setOption(nil, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        try add(description)
        FileHandle.standardError.write(
          Data(
            "SwiftData: warning: what other processes save is not followed: \(error)\n".utf8))
      }
    } catch let error as SwiftDataError {
      throw error
    } catch {
      throw SwiftDataError(
        .loadIssueModelContainer, explanation: "The store \(configuration.url.path) did not open",
        because: error)
    }
  }

  private func add(_ description: NSPersistentStoreDescription) throws {
    var failure: (any Error)?
    coordinator.addPersistentStore(with: description) { failure = $1 }
    if let failure { throw failure }
  }

  // MARK: - Contexts

  /// The context of the main actor, which saves by itself.
  @MainActor public var mainContext: ModelContext {
    madeMainContext.withLock { made in
      if let context = made.context { return context }
      let context = contextOfMainActor()
      made.context = context
      return context
    }
  }

  /// Another context of the main actor, beside ``mainContext``: for a window whose unsaved changes
  /// and undo manager are its own. It saves by itself, and merges at once what others save. Not
  /// Apple's.
  @MainActor public func makeMainContext() -> ModelContext { contextOfMainActor() }

  private func contextOfMainActor() -> ModelContext {
    let context = ModelContext(stores, type: .mainQueueConcurrencyType)
    context.autosaveEnabled = true
    return context
  }

  // MARK: - Erasing

  /// Deletes the stores, without saying why where that fails; use ``erase()``.
  @available(*, deprecated, renamed: "erase")
  public func deleteAllData() { try? erase() }

  /// Deletes the stores with all that belongs to them; the container is of no further use.
  public func erase() throws {
    for store in coordinator.persistentStores {
      if let custom = store as? SnapshotStore {
        try custom.access.erase()
        try coordinator.remove(store)
        continue
      }
      let url = coordinator.url(for: store)
      let type = NSPersistentStore.StoreType(rawValue: store.type)
      try coordinator.remove(store)
      if url.path != "/dev/null" { try coordinator.destroyPersistentStore(at: url, type: type) }
    }
  }

  public static func == (left: ModelContainer, right: ModelContainer) -> Bool {
    left.stores === right.stores
  }
}

/// What a container and its contexts share. A container owns its main context, so contexts own this
/// alone.
final class OpenStores: @unchecked Sendable {
  let coordinator: NSPersistentStoreCoordinator
  let schema: Schema
  /// Tells contexts of each other's saves.
  let saves: SaveAnnouncements
  /// They go on for as long as there is a context.
  let mirrors = StoreMirrors()
  // Set while the container is made, before anybody else has it.
  var customStores: [SnapshotStore] = []
  private(set) var others: OtherProcesses?
  private struct Known: @unchecked Sendable { weak var container: ModelContainer? }
  private let known = Mutex(Known())

  init(_ coordinator: NSPersistentStoreCoordinator, schema: Schema) {
    self.coordinator = coordinator
    self.schema = schema
    saves = SaveAnnouncements(coordinator)
    coordinator.mirrors = mirrors
  }

  /// A mirror ends with this, in a moment: it closes the files when it has.
  deinit { if mirrors.all.isEmpty { others?.close() } }

  func followOtherProcesses(_ configurations: [ModelConfiguration]) {
    let followed = configurations.filter(\.isFollowed).compactMap {
      coordinator.persistentStore(for: $0.url)
    }
    if followed.isEmpty { return }
    others = OtherProcesses(coordinator, stores: followed) { [weak saves] in saves?.inboxes ?? [] }
  }

  /// The custom store that identifiers name so.
  func customStore(_ identifier: String?) -> SnapshotStore? {
    if customStores.isEmpty { return nil }
    return customStores.first { $0.access.identifier == identifier }
  }

  /// The custom store that has models of a class.
  func customStore(of type: any PersistentModel.Type) -> SnapshotStore? {
    if customStores.isEmpty { return nil }
    let entity = coordinator.managedObjectModel.entitiesByName[ModelType.of(type).entityName]
    return customStores.first { store in
      entity.map { coordinator.holds($0, in: store) } ?? false
    }
  }

  func noteContainer(_ container: ModelContainer) { known.withLock { $0.container = container } }

  /// Made again where only a context is left.
  func container(of context: ModelContext) -> ModelContainer {
    if let container = known.withLock({ $0.container }) { return container }
    let isMain = context.managed.concurrencyType == .mainQueueConcurrencyType
    return ModelContainer(self, mainContext: isMain ? context : nil)
  }
}
