import CoreData

/// A migration of a store to a version of a model: its plan, and carrying it out.
package struct StoreMigrating {
  private let store: URL
  private let format: StoreFormat
  private let model: NSManagedObjectModel

  package init(store: URL, model: URL, version: String?) throws {
    self.store = store
    format = try StoreFormat(at: store)
    self.model = try ModelSource.version(at: model, named: version).model
    self.model.forgetClasses()
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
