import CoreData

/// The schema of a session's store: the first one in the search path, existing or not.
///
///     search_path = books, public       books
///     search_path = "$user", public     the schema named like the user if it exists, else public
///
/// Tables are looked up in this schema only, because a later schema in the path may have another
/// store.
struct StorePlace {
  let schema: String
  let exists: Bool

  init(_ connection: PostgreSQLConnection) throws {
    let session = try connection.query(
      "SELECT current_setting('search_path'), current_user::text")
    let (path, user) = (session.text(0, column: 0), session.text(0, column: 1))
    for name in Self.names(in: path) where !name.isEmpty {
      let schema = name == "$user" ? user : name
      try Self.check(schema)
      let found = try connection.query(
        "SELECT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = $1)",
        parameters: [.text(schema)])
      let exists = found.integer(0, column: 0) != 0
      if name == "$user", !exists { continue }
      (self.schema, self.exists) = (schema, exists)
      return
    }
    throw CoreDataError.make(
      .persistentStoreOpen,
      reason: "The session's search path (\(path)) names no schema for the store: add "
        + "options=-csearch_path%3Dname to the URL, or set it for the user.")
  }

  /// Throws if the server would truncate the name: two such names could denote one schema, and so
  /// one store.
  private static func check(_ schema: String) throws {
    guard schema.utf8.count > 63 else { return }
    throw CoreDataError.make(
      .persistentStoreOpen,
      reason:
        "The name of the schema \(schema) has \(schema.utf8.count) bytes, and PostgreSQL keeps 63 of them. Give the "
        + "schema a shorter name.")
  }

  /// The names in the setting `search_path`, converted to lower case unless quoted.
  static func names(in path: String) -> [String] {
    var names: [String] = []
    var name = ""
    var isQuoted = false
    var characters = path[...]
    func end() {
      names.append(name)
      name = ""
    }
    while let character = characters.popFirst() {
      switch character {
      case "\"" where isQuoted && characters.first == "\"":
        name.append(character)
        characters.removeFirst()
      case "\"": isQuoted.toggle()
      case _ where isQuoted: name.append(character)
      case ",": end()
      case _ where character.isWhitespace: break
      default: name += character.lowercased()
      }
    }
    end()
    return names
  }

  /// Creates the schema if it does not exist.
  func make(_ connection: PostgreSQLConnection) throws {
    guard !exists else { return }
    // No statement for an existing schema: a user without the privilege to create schemas can then
    // open the store.
    try connection.execute("CREATE SCHEMA IF NOT EXISTS \(SchemaNames.quoted(schema))")
  }

  /// Whether the schema has a table now. The catalog is read: `to_regclass` would answer from the
  /// session's memory, also after another session has made the table while this one waited for it.
  func has(_ table: String, connection: PostgreSQLConnection) throws -> Bool {
    try connection.query(
      "SELECT EXISTS (SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n "
        + "ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2)",
      parameters: [.text(schema), .text(table)]
    ).integer(0, column: 0) != 0
  }
}
