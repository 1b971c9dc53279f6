import CoreData

/// The row versions of an entity, to detect changes by other processes in a store with or without a
/// history.
struct RowVersions {
  struct Changes {
    var inserted: [NSManagedObjectID] = []
    var updated: [NSManagedObjectID] = []
    var deleted: [NSManagedObjectID] = []

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
  }

  private let identities: IdentitySpace
  private let read: () throws -> [PackedIdentity: Int64]
  private var versions: [PackedIdentity: Int64] = [:]

  /// Reads the initial versions. Throws for a file that is not SQLite: such a store is read into
  /// memory once.
  init(_ store: OpenedStore, entity: NSEntityDescription) throws {
    guard let rows = store.store as? any RowStore, store.format == .sqlite || !store.format.isFile
    else {
      throw ToolError(
        .usage,
        description:
          "Only stores of SQLite and of servers can be watched; one of type \(store.format.rawValue) is read whole, once. "
          + "“coredata migrate STORE --into Copy.sqlite” makes one of SQLite."
      )
    }
    identities = rows.identities
    if let server = rows as? any ServerStore {
      let layout = entity.layout
      read = {
        let found = try server.rowVersions(of: layout)
        return Dictionary(
          found.map { ($0.identity, $0.version) }, uniquingKeysWith: { first, _ in first })
      }
    } else {
      read = try Self.reader(store, entity: entity, identities: rows.identities)
    }
    versions = try read()
  }

  /// Makes a function that reads the versions from a SQLite file.
  private static func reader(
    _ store: OpenedStore, entity: NSEntityDescription, identities: IdentitySpace
  ) throws -> () throws -> [PackedIdentity: Int64] {
    guard let mapping = try store.store.sqlMapping, let place = mapping[entity.layout] else {
      throw ToolError(.usage, description: "The store keeps no objects of \(entity.name ?? "").")
    }
    let kinds = place.kindNumbers.sorted().map(String.init).joined(separator: ", ")
    let sql =
      "SELECT Z_ENT, Z_PK, Z_OPT FROM \(StoreInspector.quoted(place.table)) WHERE Z_ENT IN (\(kinds))"
    let url = store.url
    return {
      var found: [PackedIdentity: Int64] = [:]
      try StoreInspector(url: url).forEachRow(sql) { row in
        if let entity = row[0] as? Int64, let key = row[1] as? Int64,
          let layout = mapping.layout(entityNumber: entity)
        {
          found[identities.packed(layout, key: key)] = row[2] as? Int64 ?? 0
        }
        return true
      }
      return found
    }
  }

  /// The changes since the last call.
  mutating func changes() throws -> Changes {
    let found = try read()
    var changes = Changes()
    for (identity, version) in found {
      let former = versions[identity]
      if former == nil { changes.inserted.append(identities.identity(identity)) }
      if let former, former != version { changes.updated.append(identities.identity(identity)) }
    }
    for identity in versions.keys where found[identity] == nil {
      changes.deleted.append(identities.identity(identity))
    }
    versions = found
    return changes
  }
}
