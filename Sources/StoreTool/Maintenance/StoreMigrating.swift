import CoreData

/// A migration of a store to a version of a model: its plan, and carrying it out.
///
/// The version that the store is of is looked for among all versions of the model that is named, then in the store itself;
/// versions in between are gone over where none leads there at once.
package struct StoreMigrating {
  private let store: URL
  private let format: StoreFormat
  private let model: NSManagedObjectModel
  /// Where versions of the model and mapping models are.
  private let files: [URL]

  /// - Parameters:
  ///   - source: a model that has the version that the store is of, where `model` has not.
  ///   - mappings: mapping models, `.xcmappingmodel` or `.cdm`, which go before what is inferred.
  package init(
    store: URL, model: URL, version: String?, source: URL? = nil, mappings: [URL] = []
  ) throws {
    self.store = store
    format = try StoreFormat(at: store)
    self.model = try ModelSource.version(at: model, named: version).model
    self.model.forgetClasses()
    for mapping in mappings where NSMappingModel(contentsOf: mapping) == nil {
      let isThere = FileManager.default.fileExists(atPath: mapping.path)
      throw ToolError(
        isThere ? .badData : .noInput,
        isThere
          ? "\(mapping.path) cannot be read as a mapping model: expected an .xcmappingmodel or a .cdm."
          : "There is no mapping model at \(mapping.path).")
    }
    files = [source, model].compactMap { $0 }.filter(Self.isModel) + mappings
  }

  private static func isModel(_ url: URL) -> Bool {
    ["xcdatamodeld", "xcdatamodel", "momd", "mom"].contains(url.pathExtension.lowercased())
  }

  /// Entities with objects that the model does not have any more, with their numbers.
  package static func dropped(by plan: StoreMigrationPlan) -> [(entity: String, objects: Int)] {
    (plan.steps.first?.entities ?? []).compactMap { entity in
      guard entity.change == .removed, let objects = entity.objects, objects > 0 else { return nil }
      return (entity.name, objects)
    }
  }

  /// What is asked before objects are dropped; nil when none are.
  package static func question(of plan: StoreMigrationPlan) -> String? {
    let dropped = dropped(by: plan)
    guard !dropped.isEmpty else { return nil }
    let all = (plan.steps.first?.entities ?? []).compactMap(\.objects).reduce(0, +)
    let count = dropped.map(\.objects).reduce(0, +)
    let names = dropped.map { "\($0.entity) (\($0.objects))" }.joined(separator: ", ")
    return
      "The model does not have \(names) any more: \(count) of \(all) \(all == 1 ? "object" : "objects") would be dropped."
  }

  package func plan(rehearsing: Bool) throws -> StoreMigrationPlan {
    do {
      return try NSPersistentStoreCoordinator(managedObjectModel: model).migrationPlan(
        forStoreAt: store, type: NSPersistentStore.StoreType(rawValue: format.storeType),
        options: options,
        rehearsing: rehearsing)
    } catch { throw ToolError(error) }
  }

  /// Where the backup is, if one was made: not for a store that is of this version already.
  package func run(_ plan: StoreMigrationPlan, makesBackup: Bool) throws -> URL? {
    guard plan.isNeeded else { return nil }
    guard plan.isPossible else { throw ToolError(.badData, plan.description) }
    let backup = makesBackup ? try StoreBackup.make(of: store, format) : nil
    let container = NSPersistentContainer(name: "coredata", managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: store)
    description.type = format.storeType
    for (key, value) in options { description.setOption(value as? NSObject, forKey: key) }
    container.persistentStoreDescriptions = [description]
    // Sound: whoever migrates calls the handler, one call after the other.
    nonisolated(unsafe) let bar = ProgressBar("Migrating", total: 1000)
    container.migrationProgressHandler = { bar.show(Int($0.fractionCompleted * 1000)) }
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    bar.end()
    if let failure { throw ToolError(failure) }
    return backup
  }

  private var options: [String: Any] {
    var options: [String: Any] = [
      NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
      NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
      // The plan has told what goes, and a backup is there.
      OpenCoreDataRemovesEntitiesOption: NSNumber(value: true),
      OpenCoreDataMigrationModelsOption: files as NSArray,
      // Whoever names the version wants to go there, also where the store has come from.
      OpenCoreDataLeadsBackOption: NSNumber(value: true),
    ]
    let server = NSPersistentStoreCoordinator.server(at: store)
    // Who cannot say is asked again, and says why, when the store is opened.
    let hasHistory =
      (try? server?.storeClass.tracksHistory(at: store)) == true
      || format == .sqlite
        && (try? StoreInspector(url: store).rows(
          "SELECT 1 FROM sqlite_master WHERE name = 'ATRANSACTION'"
        ).isEmpty) == false
    if hasHistory { options[NSPersistentHistoryTrackingKey] = NSNumber(value: true) }
    return options
  }
}
