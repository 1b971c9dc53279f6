import CoreData
import Foundation
import Synchronization

/// Stores and the schema of what they hold; contexts work on it.
///
/// Sendable: contexts of all threads share it.
///
/// Source: developer.apple.com/documentation/swiftdata/modelcontainer
public class ModelContainer: Equatable, @unchecked Sendable {
  public final let migrationPlan: (any SchemaMigrationPlan.Type)?
  public var configurations: Set<ModelConfiguration>
  final let stores: OpenStores
  private let madeMainContext = Mutex<MainContext>(MainContext())

  // Sendable: used on the main actor alone.
  private struct MainContext: @unchecked Sendable {
    var context: ModelContext?
  }

  public convenience init(
    for forTypes: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws {
    try self.init(
      for: Schema(forTypes), migrationPlan: migrationPlan, configurations: configurations)
  }

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
  public init(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: [ModelConfiguration]
  ) throws {
    let given = configurations.isEmpty ? [ModelConfiguration(schema: givenSchema)] : configurations
    try Self.check(given, givenSchema)
    self.migrationPlan = migrationPlan
    self.configurations = Set(given)
    let model = ManagedModelBuilder.model(of: givenSchema)
    for configuration in given {
      let entities = (configuration.schema ?? givenSchema).entities.compactMap {
        model.entitiesByName[$0.name]
      }
      model.setEntities(entities, forConfigurationName: configuration.name)
    }
    stores = OpenStores(NSPersistentStoreCoordinator(managedObjectModel: model), givenSchema)
    for configuration in given { try open(configuration, given.count > 1) }
    stores.noteContainer(self)
  }

  /// Over stores that are open already: during a migration, and for a context whose container is gone.
  init(_ stores: OpenStores, mainContext: ModelContext? = nil) {
    self.stores = stores
    migrationPlan = nil
    configurations = []
    madeMainContext.withLock { $0.context = mainContext }
    stores.noteContainer(self)
  }

  public final var schema: Schema { stores.schema }

  final var coordinator: NSPersistentStoreCoordinator { stores.coordinator }

  private static func check(_ configurations: [ModelConfiguration], _ schema: Schema) throws {
    var names: Set<String> = []
    var urls: Set<URL> = []
    for configuration in configurations {
      try configuration.validate()
      let isNew = names.insert(configuration.name).inserted
      if !isNew || (!configuration.isStoredInMemoryOnly && !urls.insert(configuration.url).inserted)
      {
        throw SwiftDataError(
          .duplicateConfiguration,
          "Two configurations are named “\(configuration.name)”, or have the file \(configuration.url.path)"
        )
      }
      for entity in configuration.schema?.entities ?? []
      where schema.entitiesByName[entity.name] == nil {
        throw SwiftDataError(
          .configurationSchemaNotFoundInContainerSchema,
          "The configuration “\(configuration.name)” has the model \(entity.name), and the container's schema only "
            + schema.entities.map(\.name).sorted().joined(separator: ", "))
      }
    }
  }

  private func open(_ configuration: ModelConfiguration, _ isOneOfSeveral: Bool) throws {
    let description = NSPersistentStoreDescription(url: configuration.url)
    description.type = NSSQLiteStoreType
    description.configuration = isOneOfSeveral ? configuration.name : nil
    description.isReadOnly = !configuration.allowsSave
    description.shouldMigrateStoreAutomatically = true
    description.shouldInferMappingModelAutomatically = true
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    do {
      if !configuration.isStoredInMemoryOnly {
        try FileManager.default.createDirectory(
          at: configuration.url.deletingLastPathComponent(), withIntermediateDirectories: true)
      }
      if let migrationPlan {
        let stages = try MigrationStages(migrationPlan, schema)
        try stages.check(configuration)
        description.setOption(
          stages.manager, forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
      }
      var failure: (any Error)?
      coordinator.addPersistentStore(with: description) { failure = $1 }
      if let failure { throw failure }
    } catch let error as SwiftDataError {
      throw error
    } catch {
      throw SwiftDataError(
        .loadIssueModelContainer, "The store \(configuration.url.path) did not open",
        because: error)
    }
  }

  // MARK: - Contexts

  /// The context of the main actor, which saves by itself.
  @MainActor public var mainContext: ModelContext {
    madeMainContext.withLock { made in
      if let context = made.context { return context }
      let context = ModelContext(stores, .mainQueueConcurrencyType)
      context.autosaveEnabled = true
      made.context = context
      return context
    }
  }

  // MARK: - Erasing

  @available(*, deprecated, renamed: "erase")
  public func deleteAllData() { try? erase() }

  /// Deletes the stores with all that belongs to them; the container is of no further use.
  public func erase() throws {
    for store in coordinator.persistentStores {
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

/// What a container and its contexts share. A container owns its main context, so contexts own this alone.
final class OpenStores: @unchecked Sendable {
  let coordinator: NSPersistentStoreCoordinator
  let schema: Schema
  /// Tells contexts of each other's saves.
  let saves: SaveAnnouncements
  private struct Known: @unchecked Sendable { weak var container: ModelContainer? }
  private let known = Mutex(Known())

  init(_ coordinator: NSPersistentStoreCoordinator, _ schema: Schema) {
    self.coordinator = coordinator
    self.schema = schema
    saves = SaveAnnouncements(coordinator)
  }

  func noteContainer(_ container: ModelContainer) { known.withLock { $0.container = container } }

  /// Made again where only a context is left.
  func container(of context: ModelContext) -> ModelContainer {
    if let container = known.withLock({ $0.container }) { return container }
    let isMain = context.managed.concurrencyType == .mainQueueConcurrencyType
    return ModelContainer(self, mainContext: isMain ? context : nil)
  }
}
