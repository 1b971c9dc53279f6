import CoreData

extension NSPersistentStore.StoreType {
  /// A schema of a database on a PostgreSQL server, at a URL that libpq takes:
  /// `postgresql://user@host1,host2/database?sslmode=verify-full&target_session_attrs=read-write`.
  ///
  /// The store is in the first schema of the session's search path, which another store needs another of:
  /// `…?options=-csearch_path%3Dbooks`. A schema that is not there is made. Passwords are best kept out of the
  /// URL, in `.pgpass` or a service file; one in the URL shows in no error and no description.
  public static let postgreSQL = NSPersistentStore.StoreType(rawValue: "PostgreSQL")
}

/// Before `main`, so that a type that is named in a settings file is known without anybody asking for
/// ``NSPersistentStore/StoreType/postgreSQL``.
@section(".init_array") @used
let registerPostgreSQLStore: @convention(c) () -> Void = {
  NSPersistentStoreCoordinator.registerStoreClass(
    PostgreSQLStore.self, forStoreType: "PostgreSQL")
}
