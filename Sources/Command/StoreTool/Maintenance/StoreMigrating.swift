import CoreData
import ModelDocuments

/// A migration of a store to a version of a model: makes its plan and carries it out.
///
/// The store's current version is looked up among all versions of the given model, then in the
/// store itself. If no mapping leads directly to the target, intermediate versions are used.
package struct StoreMigrating {
  private let store: URL
  private let format: StoreFormat
  private let model: NSManagedObjectModel
  /// The files of models and mapping models.
  private let files: [URL]

  /// Finds the model and checks the mapping models.
  ///
  /// - Parameters:
  ///   - version: the target version; nil for the current one.
  ///   - source: a model with the store's current version, if `model` does not contain it.
  ///   - mappings: mapping models, `.xcmappingmodel` or `.cdm`, preferred over inferred ones.
  package init(
    store: URL, model: URL, version: String?, source: URL? = nil, mappings: [URL] = []
  ) throws {
    self.store = store
    format = try StoreFormat(at: store)
    self.model = try ModelSource.version(at: model, named: version).model
    self.model.forgetClasses()
    for mapping in mappings { try Self.check(mapping) }
    files = [source, model].compactMap { $0 }.filter(Self.isModel) + mappings
  }

  /// Throws for a file that is no mapping model, and for one that names what its models have not.
  private static func check(_ mapping: URL) throws {
    guard FileManager.default.fileExists(atPath: mapping.path) else {
      throw ToolError(.noInput, description: "There is no mapping model at \(mapping.path).")
    }
    do { _ = try NSMappingModel(contentsOfMappingModelAt: mapping) } catch let error
      as ModelFileError
    {
      throw ToolError(
        .badData,
        description:
          "\(mapping.path) cannot be read as a mapping model. \(error.plain). Mend it, or leave out "
          + "--mapping to migrate by what can be inferred.")
    }
  }

  private static func isModel(_ url: URL) -> Bool {
    ["xcdatamodeld", "xcdatamodel", "momd", "mom"].contains(url.pathExtension.lowercased())
  }

  /// The removed entities that have objects, with the numbers of objects.
  package static func dropped(by plan: StoreMigrationPlan) -> [(entity: String, objects: Int)] {
    (plan.steps.first?.entities ?? []).compactMap { entity in
      guard entity.change == .removed, let objects = entity.objects, objects > 0 else { return nil }
      return (entity.name, objects)
    }
  }

  /// The question to ask before objects are deleted; nil if none are.
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
      var plan = try NSPersistentStoreCoordinator(managedObjectModel: model).migrationPlan(
        forStoreAt: store, type: NSPersistentStore.StoreType(rawValue: format.storeType),
        options: options,
        rehearsing: rehearsing)
      plan.problems = plan.problems.map(Self.problem)
      return plan
    } catch { throw ToolError(error) }
  }

  /// A policy is code of the application, which this command has not: what to do is another thing
  /// than in a program.
  private static func problem(
    _ problem: StoreMigrationPlan.Problem
  ) -> StoreMigrationPlan.Problem {
    guard problem.code == CocoaError.entityMigrationPolicy.rawValue,
      let advice = problem.reason.range(of: ", and there is no such class")
    else { return problem }
    var problem = problem
    problem.reason =
      problem.reason[..<advice.lowerBound]
      + ", a class of the application, which this command has not. Let the application migrate "
      + "the store, leave out --mapping to migrate by what can be inferred, or name a copy of the "
      + "mapping model without the policy and set its values afterwards"
    return problem
  }

  /// Migrates the store, or makes the indexes that it lacks. Returns the backup, if one was made:
  /// none for a store that is as the target version has it already.
  package func run(_ plan: StoreMigrationPlan, makesBackup: Bool) throws -> URL? {
    // Indexes are no part of a version: opening the store with the model makes them.
    guard plan.isNeeded || !plan.missingIndexes.isEmpty else { return nil }
    guard plan.isPossible else { throw ToolError(.badData, description: plan.description) }
    let backup = makesBackup ? try StoreBackup.make(of: store, format) : nil
    let container = NSPersistentContainer(name: "coredata", managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: store)
    description.type = format.storeType
    for (key, value) in options { description.setOption(value as? NSObject, forKey: key) }
    container.persistentStoreDescriptions = [description]
    // Sound: the migration calls the handler serially, on the thread that loads the store below;
    // the last call has ended before `bar.end()`.
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
      // The plan has listed the removed entities, and there is a backup.
      OpenCoreDataRemovesEntitiesOption: NSNumber(value: true),
      OpenCoreDataMigrationModelsOption: files as NSArray,
      // The user has named the version, which may be one that the store was migrated from.
      OpenCoreDataLeadsBackOption: NSNumber(value: true),
    ]
    let server = NSPersistentStoreCoordinator.server(at: store)
    // A server that cannot be reached fails with the reason when the store is opened.
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
