import CoreData

/// Registers the store class before `main`, so that a type that a settings file names is known even
/// if the program never uses ``NSPersistentStore/StoreType/postgreSQL``.
@section(".init_array") @used
let registerPostgreSQLStore: @convention(c) () -> Void = {
  NSPersistentStoreCoordinator.registerStoreClass(
    PostgreSQLStore.self, forStoreType: "PostgreSQL")
}
