import CoreData

/// Names in the database.
///
///     Author               a table for each root entity, named after it
///       _key               the object's key
///       _version           incremented at each save of the row
///       _entity            the number of the row's entity, see _coredata_entities
///       name, born         attributes, by name; place_city is an element of the composite place
///       country            a to-one relationship: the key of the destination
///       country_entity     the destination's entity, if there are several
///       country_position   the object's position among the members of the ordered inverse
///     Author_books         a join table: book keys in books, author keys in the inverse's column
///     Author_keys          the sequence of the keys
enum SchemaNames {
  static let key = "_key"
  static let version = "_version"
  static let entity = "_entity"

  /// Table with one row: UUID, metadata, model.
  static let store = "_coredata_store"
  static let entities = "_coredata_entities"
  /// Table of the relations that belong to the store and are dropped with it.
  static let objects = "_coredata_objects"

  static func quoted(_ name: String) -> String {
    let quote = UInt8(ascii: "\"")
    guard name.utf8.contains(quote) else { return "\"\(name)\"" }
    return "\"\(name.replacing("\"", with: "\"\""))\""
  }
}

/// Unique names of at most 63 bytes, PostgreSQL's limit.
struct UniqueNames {
  /// The maximum length of a name in bytes; the server truncates longer names.
  private static let longest = 63
  /// The maximum length before a number is appended.
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

  /// For the columns of one table. The names of PostgreSQL's system columns are reserved.
  static func ofColumns(besides taken: [String] = []) -> UniqueNames {
    UniqueNames(taken: ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"] + taken)
  }

  mutating func take(_ base: String) -> String { names.take(Self.cut(base)) }

  /// - Parameter tables: the names of other tables, from which the server derives the names of
  ///   their indexes: `Author_pkey`, `Author_name_idx`.
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
    // NUL would end the name.
    var result = name.replacing("\0", with: "")
    while result.utf8.count > limit { result.removeLast() }
    return result.isEmpty ? "_" : result
  }
}
