import CoreData
import Foundation

/// One version of a schema, with the model classes of that version.
///
/// Source: developer.apple.com/documentation/swiftdata/versionedschema
public protocol VersionedSchema {
  /// The model classes of this version.
  static var models: [any PersistentModel.Type] { get }
  /// The version's number.
  static var versionIdentifier: Schema.Version { get }
}

/// The versions of a schema in order, and the migration stages between them.
///
/// A container with several configurations migrates each store by itself: the closures of a stage
/// are called once for each store that needs the migration, with a context that has the models of
/// that store.
///
/// Source: developer.apple.com/documentation/swiftdata/schemamigrationplan
public protocol SchemaMigrationPlan {
  /// The versions, oldest first.
  static var schemas: [any VersionedSchema.Type] { get }
  /// The stages, each from one version to the next.
  static var stages: [MigrationStage] { get }
}

/// A migration from one version to another.
///
/// Sendable: a plan keeps its stages in a constant, and only the thread that opens the store calls
/// their closures.
public enum MigrationStage: @unchecked Sendable {
  /// Migration without code: properties and models that were added, removed or renamed.
  case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
  /// Migration with code: `willMigrate` works on the models of the old version, `didMigrate` on
  /// those of the new one. Each saves its own changes.
  case custom(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
    willMigrate: ((_ context: ModelContext) throws -> Void)?,
    didMigrate: ((_ context: ModelContext) throws -> Void)?)
}

/// Translates a plan to Core Data's staged migration.
struct MigrationStages {
  private struct Version {
    let type: any VersionedSchema.Type
    let schema: Schema
    let model: NSManagedObjectModel
    var checksum: String { model.versionChecksum }
  }

  let manager: NSStagedMigrationManager
  private let versions: [Version]

  /// Makes the stages for a container with these configurations; an empty array for a container
  /// with one store that has all models.
  init(
    _ plan: any SchemaMigrationPlan.Type, schema: Schema, configurations: [ModelConfiguration]
  ) throws {
    let parts = try configurations.map { ($0.name, try Self.parts($0, schema: schema)) }
    let current = Set(parts.flatMap { $0.1.current })
    let versions = plan.schemas.map { type in
      let schema = Schema(versionedSchema: type)
      let model = ManagedModelBuilder.model(of: schema)
      for (name, part) in parts {
        // A model that is missing from the newest version stays in the store that has it.
        let names = part.current.union(part.stored.subtracting(current))
        model.setEntities(
          model.entities.filter { names.contains($0.name ?? "") }, forConfigurationName: name)
      }
      return Version(type: type, schema: schema, model: model)
    }
    self.versions = versions
    func version(_ type: any VersionedSchema.Type) throws -> Version {
      if let version = versions.first(where: { $0.type == type }) { return version }
      throw SwiftDataError(
        .unknownSchema,
        explanation:
          "A stage of \(plan) names the version \(type), which is not among its schemas: "
          + versions.map { "\($0.type)" }.joined(separator: ", "))
    }
    var stages: [NSMigrationStage] = []
    for stage in plan.stages {
      switch stage {
      case .lightweight(let from, let to):
        let (from, to) = (try version(from), try version(to))
        // Versions with equal models are indistinguishable in a store, so there is nothing to
        // migrate.
        if from.checksum == to.checksum { continue }
        // A custom stage instead of a lightweight one: Core Data's lightweight stages know
        // checksums only, and each step must end at its own model.
        stages.append(Self.stage(from, to: to, willMigrate: nil, didMigrate: nil))
      case .custom(let from, let to, let willMigrate, let didMigrate):
        let (from, to) = (try version(from), try version(to))
        guard from.checksum != to.checksum else {
          throw SwiftDataError(
            .modelValidationFailure,
            explanation:
              "The versions \(from.schema.version) and \(to.schema.version) of \(plan) have equal models: no store can be "
              + "told to be of the one or the other. Change a model, or give a property another hashModifier"
          )
        }
        stages.append(Self.stage(from, to: to, willMigrate: willMigrate, didMigrate: didMigrate))
      }
    }
    manager = NSStagedMigrationManager(stages)
  }

  /// The names of the models in a configuration, and of the models in its existing store.
  private static func parts(
    _ configuration: ModelConfiguration, schema: Schema
  ) throws -> (current: Set<String>, stored: Set<String>) {
    let current = Set((configuration.schema ?? schema).entities.map(\.name))
    let hashes = try metadata(configuration)?[NSStoreModelVersionHashesKey] as? [String: Data]
    return (current, Set((hashes ?? [:]).keys))
  }

  /// The metadata of the store; nil if there is no store yet.
  private static func metadata(_ configuration: ModelConfiguration) throws -> [String: Any]? {
    guard FileManager.default.fileExists(atPath: configuration.url.path),
      !configuration.isStoredInMemoryOnly
    else { return nil }
    return try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite, at: configuration.url)
  }

  private static func stage(
    _ from: Version, to: Version, willMigrate: ((ModelContext) throws -> Void)?,
    didMigrate: ((ModelContext) throws -> Void)?
  ) -> NSCustomMigrationStage {
    let stage = NSCustomMigrationStage(
      migratingFrom: NSManagedObjectModelReference(
        model: from.model, versionChecksum: from.checksum),
      to: NSManagedObjectModelReference(model: to.model, versionChecksum: to.checksum))
    stage.label = "\(from.schema.version) → \(to.schema.version)"
    stage.willMigrateHandler = handler(from.schema, body: willMigrate)
    stage.didMigrateHandler = handler(to.schema, body: didMigrate)
    return stage
  }

  private static func handler(
    _ schema: Schema, body: ((ModelContext) throws -> Void)?
  ) -> NSCustomMigrationStage.Handler? {
    guard let body else { return nil }
    return { manager, _ in
      guard let coordinator = manager.container?.persistentStoreCoordinator else { return }
      let container = ModelContainer(OpenStores(coordinator, schema: schema))
      try body(ModelContext(container))
    }
  }

  /// Throws if the store matches none of the versions, with the nearest version and the
  /// differences.
  func check(_ configuration: ModelConfiguration, isOneOfSeveral: Bool) throws {
    guard let metadata = try Self.metadata(configuration) else { return }
    let part = isOneOfSeveral ? configuration.name : nil
    func fits(_ version: Version) -> Bool {
      version.model.isConfiguration(withName: part, compatibleWithStoreMetadata: metadata)
    }
    if versions.contains(where: fits) { return }
    let identifier = (metadata[NSStoreModelVersionIdentifiersKey] as? [String])?.first ?? "?"
    let isNewer = versions.last.map { last in
      identifier.compare("\(last.schema.version)", options: .numeric) == .orderedDescending
    }
    throw SwiftDataError(
      isNewer == true ? .backwardMigration : .unknownSchema,
      explanation:
        "The store \(configuration.url.path), which calls itself version \(identifier), is of none of the versions "
        + versions.map { "\($0.schema.version)" }.joined(separator: ", ")
        + ". \(difference(from: metadata, part))")
  }

  /// Describes the entities in which the store differs from the nearest version.
  private func difference(from metadata: [String: Any], _ part: String?) -> String {
    let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    let differences = versions.map { version in
      let entities = version.model.entities(forConfigurationName: part) ?? []
      let known = Set(entities.compactMap(\.name))
      let own = version.model.entityVersionHashesByName.filter { known.contains($0.key) }
      let names = Set(own.keys).union(stored.keys).filter { own[$0] != stored[$0] }
      return (version, names.sorted())
    }
    guard let nearest = differences.min(by: { $0.1.count < $1.1.count }) else {
      return "The plan has no versions"
    }
    return "The nearest, \(nearest.0.schema.version), differs in "
      + nearest.1.joined(separator: ", ")
  }
}
