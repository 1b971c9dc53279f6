import Foundation

extension [AnyHashable: Any] {
  /// A store's options without those that would migrate it or watch it.
  var forMigratedStore: [AnyHashable: Any] {
    var options = self
    for key in [
      NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption,
      NSPersistentStoreStagedMigrationManagerOptionKey, OpenCoreDataMigrationModelsOption,
      OpenCoreDataRemovesEntitiesOption,
      NSPersistentStoreRemoteChangeNotificationPostOptionKey,
    ] {
      options[key] = nil
    }
    return options
  }
}
