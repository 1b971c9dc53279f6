import CoreData

/// The schema that a session's store lies in: the first that the search path names, whether it is there yet or not.
///
///     search_path = books, public       books
///     search_path = "$user", public     that of the user's name if there is one, else public
///
/// Another store may lie in a later schema of the path, so tables are looked for here alone.
struct StorePlace {
  let schema: String
  let exists: Bool

  init(_ connection: PostgreSQLConnection) throws {
    let session = try connection.query(
      "SELECT current_setting('search_path'), current_user::text")
    let (path, user) = (session.text(0, 0), session.text(0, 1))
    for name in Self.names(in: path) where !name.isEmpty {
      let schema = name == "$user" ? user : name
      try Self.check(schema)
      let found = try connection.query(
        "SELECT to_regnamespace($1) IS NOT NULL", [.text(SchemaNames.quoted(schema))])
      let exists = found.integer(0, 0) != 0
      if name == "$user", !exists { continue }
      (self.schema, self.exists) = (schema, exists)
      return
    }
    throw CoreDataError.make(
      .persistentStoreOpen,
      reason: "The session's search path (\(path)) names no schema for the store: add "
        + "options=-csearch_path%3Dname to the URL, or set it for the user.")
  }

  /// The server cuts what is longer: two such schemas would be one, and their stores too.
  private static func check(_ schema: String) throws {
    guard schema.utf8.count > 63 else { return }
    throw CoreDataError.make(
      .persistentStoreOpen,
      reason:
        "The name of the schema \(schema) has \(schema.utf8.count) bytes, and PostgreSQL keeps 63 of them. Give the "
        + "schema a shorter name.")
  }

  /// As the setting has them: folded to lower case but for those in quotes.
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

  /// Makes the schema where there is none.
  func make(_ connection: PostgreSQLConnection) throws {
    guard !exists else { return }
    // Who has no right to make schemas needs none where it is there.
    try connection.execute("CREATE SCHEMA IF NOT EXISTS \(SchemaNames.quoted(schema))")
  }

  func has(_ table: String, _ connection: PostgreSQLConnection) throws -> Bool {
    let name = "\(SchemaNames.quoted(schema)).\(SchemaNames.quoted(table))"
    return try connection.query("SELECT to_regclass($1) IS NOT NULL", [.text(name)])
      .integer(0, 0) != 0
  }
}
