import CoreData

extension NSPersistentStore.StoreType {
  /// A schema of a database on a PostgreSQL server. The URL is a libpq connection URI:
  /// `postgresql://user@host1,host2/database?sslmode=verify-full&target_session_attrs=read-write`.
  ///
  /// The store is in the first schema of the session's search path, so each further store needs
  /// another schema: `…?options=-csearch_path%3Dbooks`. A missing schema is created. Keep passwords
  /// out of the URL, in `.pgpass` or a service file; a password in the URL appears in no error and
  /// no description.
  public static let postgreSQL = NSPersistentStore.StoreType(rawValue: "PostgreSQL")
}
