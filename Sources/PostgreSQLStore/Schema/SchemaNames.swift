import CoreData

/// Names in the database.
///
///     Author            a table for each root entity, with its name
///       _key            the object's key
///       _version        counts the saves of the row
///       _entity         the number of the row's entity, see _coredata_entities
///       name, born      attributes, with their names; place_city an element of the composite place
///       country         a to-one relationship: the key of the other object
///       country_entity  its entity, where there are several
///       country_position   where the object is among the members of the ordered inverse
///     Author_books      a join table: book keys in books, author keys in the column of the inverse
///     Author_keys       the sequence of the keys
enum SchemaNames {
  static let key = "_key"
  static let version = "_version"
  static let entity = "_entity"

  /// One row: UUID, metadata, model.
  static let store = "_coredata_store"
  static let entities = "_coredata_entities"
  /// What belongs to the store, to be dropped with it.
  static let objects = "_coredata_objects"

  static func quoted(_ name: String) -> String {
    let quote = UInt8(ascii: "\"")
    guard name.utf8.contains(quote) else { return "\"\(name)\"" }
    return "\"\(name.replacing("\"", with: "\"\""))\""
  }
}

/// Names that are all different and fit into PostgreSQL's 63 bytes.
struct UniqueNames {
  /// Of a name; the server cuts off the rest.
  private static let longest = 63
  /// Leaves room for a number.
  private static let limit = 58
  private var names = NumberedNames()

  private init(taken: [String]) { for name in taken { _ = names.take(name) } }

  /// For tables and sequences.
  static var ofRelations: UniqueNames {
    UniqueNames(
      taken: [
        SchemaNames.store, SchemaNames.entities, SchemaNames.objects, TransactionMark.table,
        HistoryTables.transactions, HistoryTables.changes,
      ] + SystemRelations.names)
  }

  /// For the columns of one table: every table of PostgreSQL has some that do not show.
  static func ofColumns(besides taken: [String] = []) -> UniqueNames {
    UniqueNames(taken: ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"] + taken)
  }

  mutating func take(_ base: String) -> String { names.take(Self.cut(base)) }

  /// - Parameter tables: what other tables are called, after which the server names their indexes: `Author_pkey`,
  ///   `Author_name_idx`.
  mutating func take(table base: String, besides tables: some Sequence<String>) -> String {
    let name = Self.cut(base)
    let isIndex = name.contains(#/_(pkey|idx)[0-9]*$/#)
    return take(isIndex && tables.contains { name.hasPrefix("\($0)_") } ? "\(name)_" : name)
  }

  mutating func take(sequenceOf table: String) -> String {
    var name = "\(table)_keys"
    while name.utf8.count > Self.longest { name.unicodeScalars.removeLast() }
    return names.contains(name) ? take(name) : names.take(name)
  }

  private static func cut(_ name: String) -> String {
    // A NUL ends a name.
    var result = name.replacing("\0", with: "")
    while result.utf8.count > limit { result.removeLast() }
    return result.isEmpty ? "_" : result
  }
}
