import CoreData

/// The columns of a table that are read for rows of an entity and its subentities, and the column
/// of each slot.
///
/// Immutable; made once per entity and cached.
final class RowSelection: @unchecked Sendable {
  // Sendable: constants only; `Kind` is immutable too.
  static let keyColumn = 0
  static let versionColumn = 1
  static let entityColumn = 2

  final class Kind {
    let layout: EntityLayout
    /// A decoder per slot; nil for slots that are not stored.
    let decoders: [ValueDecoder?]
    /// Whether rows must be decoded even if a cached row has the same version: derived values
    /// change without the version of their row.
    let hasDerivedValues: Bool

    init(_ mapping: EntityMapping, decoders: [ValueDecoder?]) {
      layout = mapping.layout
      self.decoders = decoders
      hasDerivedValues = mapping.columns.contains { $0?.isDerived ?? false }
    }
  }

  /// `SELECT … FROM table t0`
  let sql: String
  let table: String
  /// The entities of the rows, by the store's numbers.
  let kinds: [Int: Kind]

  init(_ entity: EntityMapping, schema: StoreSchema) {
    table = entity.table
    var list = ColumnList()
    var kinds: [Int: Kind] = [:]
    for number in entity.kindNumbers {
      guard let layout = schema.mapping.layout(entityNumber: Int64(number)),
        let mapping = schema.mapping[layout]
      else { continue }
      let types = schema.types(of: layout)
      let decoders = layout.slots.indices.map { slot -> ValueDecoder? in
        guard let column = mapping.columns[slot], let type = types[slot] else { return nil }
        return ValueDecoder(
          type, column: list.place(of: column.name, type),
          entityColumn: column.entityColumn.map { list.place(of: $0, .integer) },
          slot: layout.slots[slot])
      }
      kinds[number] = Kind(mapping, decoders: decoders)
    }
    self.kinds = kinds
    sql =
      "SELECT \(list.columns.joined(separator: ", ")) FROM \(SchemaNames.quoted(entity.table)) t0"
  }

  private struct ColumnList {
    private(set) var columns = [SchemaNames.key, SchemaNames.version, SchemaNames.entity].map {
      "t0.\(SchemaNames.quoted($0))"
    }
    private var places: [String: Int] = [:]

    /// Columns that several entities share are read once.
    mutating func place(of name: String, _ type: ColumnType) -> Int {
      if let known = places[name] { return known }
      let column = "t0.\(SchemaNames.quoted(name))"
      // As text, because the binary format of numeric is groups of decimal digits.
      columns.append(type == .decimal ? "\(column)::text" : column)
      places[name] = columns.count - 1
      return columns.count - 1
    }
  }
}
