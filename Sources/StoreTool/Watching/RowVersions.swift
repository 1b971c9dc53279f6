import CoreData

/// The rows of an entity with their versions, to find out what another process has saved, with a history or without.
struct RowVersions {
  struct Key: Hashable {
    let entity: Int64
    let key: Int64
  }

  struct Changes {
    var inserted: [NSManagedObjectID] = []
    var updated: [NSManagedObjectID] = []
    var deleted: [NSManagedObjectID] = []

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
  }

  private let store: OpenedStore
  private let mapping: SQLMapping
  private let sql: String
  private var versions: [Key: Int64] = [:]

  /// Throws for a store that is not of SQLite: others are read whole, once.
  init(_ store: OpenedStore, _ entity: NSEntityDescription) throws {
    guard let mapping = try store.store.sqlMapping else {
      throw ToolError(
        .usage,
        "Only a SQLite store can be watched; one of type \(store.format.rawValue) is read whole, once."
      )
    }
    guard let place = mapping[entity.layout] else {
      throw ToolError(.usage, "The store keeps no objects of \(entity.name ?? "").")
    }
    self.store = store
    self.mapping = mapping
    let kinds = place.kindNumbers.sorted().map(String.init).joined(separator: ", ")
    sql =
      "SELECT Z_ENT, Z_PK, Z_OPT FROM \(StoreInspector.quoted(place.table)) WHERE Z_ENT IN (\(kinds))"
    versions = try read()
  }

  private func read() throws -> [Key: Int64] {
    var found: [Key: Int64] = [:]
    try StoreInspector(url: store.url).forEachRow(sql) { row in
      if let entity = row[0] as? Int64, let key = row[1] as? Int64 {
        found[Key(entity: entity, key: key)] = row[2] as? Int64 ?? 0
      }
      return true
    }
    return found
  }

  /// What is different since the last time.
  mutating func changes() throws -> Changes {
    let found = try read()
    var changes = Changes()
    for (key, version) in found {
      let former = versions[key]
      if former == nil { changes.inserted.append(try identity(key)) }
      if let former, former != version { changes.updated.append(try identity(key)) }
    }
    for key in versions.keys where found[key] == nil { changes.deleted.append(try identity(key)) }
    versions = found
    return changes
  }

  private func identity(_ key: Key) throws -> NSManagedObjectID {
    let name = mapping.layout(entityNumber: key.entity)?.entity.name ?? ""
    return try store.identity("\(name)/p\(key.key)")
  }
}
