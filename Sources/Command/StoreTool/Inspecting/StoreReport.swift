import CoreData

/// The result of `inspect`, a value that can also be encoded as JSON.
package struct StoreReport: Codable, Sendable {
  package struct File: Codable, Sendable {
    package let path: String
    package let bytes: Int
  }

  package struct Model: Codable, Sendable {
    package let origin: String
    package let isGuessed: Bool
    package let versionIdentifiers: [String]
    package let checksum: String
  }

  package struct Entity: Codable, Sendable {
    package let name: String
    package let parent: String?
    package let isAbstract: Bool
    /// The number of objects, without those of subentities.
    package let objects: Int
    package let attributes: Int
    package let relationships: Int
    /// For stores with tables: the entity number, the table of the whole hierarchy, and its size
    /// with indexes.
    package var number: Int?
    package var table: String?
    package var tableBytes: Int?
    package var indexes: [String] = []
  }

  package struct History: Codable, Sendable {
    package let transactions: Int
    package let changes: Int
    package let first: Date?
    package let last: Date?
    package let authors: [String]
  }

  package struct ExternalData: Codable, Sendable {
    package let files: Int
    package let bytes: Int
  }

  package var path: String
  package var format: StoreFormat
  package var files: [File]
  package var uuid: String
  package var frameworkVersion: Int?
  /// The server's name and version, for a store on a server.
  package var server: String?
  package var journalMode: String?
  package var freePages: Int?
  package var model: Model
  package var entities: [Entity]
  package var joinTables: [String: Int] = [:]
  package var history: History?
  package var externalData: ExternalData?
  /// The application's own metadata, by key.
  package var metadata: [String: String]
  package var warnings: [String]
}

extension StoreReport {
  /// Reads the whole report. `measures` adds the size of each table, for which every page is read.
  package init(_ store: OpenedStore, measures: Bool) throws {
    path = store.place
    format = store.format
    files = Self.files(of: store.url)
    uuid = store.metadata[NSStoreUUIDKey] as? String ?? ""
    frameworkVersion = (store.metadata["NSPersistenceFrameworkVersion"] as? NSNumber)?.intValue
    model = Model(
      origin: store.origin.text, isGuessed: store.origin == .guessed,
      versionIdentifiers: store.model.versionIdentifiers.compactMap { $0.base as? String }
        .filter { !$0.isEmpty }.sorted(),
      checksum: store.model.versionChecksum)
    metadata = Self.ownMetadata(store.metadata)
    warnings = store.warnings
    let tables = try store.store.sqlMapping.map {
      try TableReport(StoreInspector(url: store.url), mapping: $0, measures: measures)
    }
    let onServer = try (store.store as? any ServerStore).map { try $0.tables() }
    entities = try Self.entities(of: store, tables)
    if let onServer { add(onServer, store: store, measures: measures) }
    if let tables {
      journalMode = tables.journalMode
      freePages = tables.freePages
      joinTables = tables.joinTables
      history = tables.history
      externalData = try Self.externalData(store)
      warnings += tables.warnings
    }
  }

  private mutating func add(_ tables: ServerTables, store: OpenedStore, measures: Bool) {
    server = tables.server
    joinTables = tables.joinTables
    history = tables.history.map {
      History(
        transactions: $0.transactions, changes: $0.changes, first: $0.first, last: $0.last,
        authors: $0.authors)
    }
    for (index, layout) in store.model.entityLayouts().enumerated() {
      guard let place = tables.mapping[layout] else { continue }
      entities[index].number = place.entityNumber
      entities[index].table = place.table
      guard place.entityNumber == place.rootEntityNumber,
        let table = tables.tables.first(where: { $0.name == place.table })
      else { continue }
      entities[index].indexes = table.indexes
      if measures { entities[index].tableBytes = table.bytes }
    }
    files = [File(path: store.place, bytes: tables.tables.reduce(0) { $0 + $1.bytes })]
  }

  private static func files(of url: URL) -> [File] {
    guard url.isFileURL else { return [] }
    return ["", "-wal", "-shm", "-journal"].compactMap { suffix in
      let path = url.path + suffix
      // A file that does not exist is not listed.
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
        return nil
      }
      return File(path: path, bytes: (attributes[.size] as? NSNumber)?.intValue ?? 0)
    }
  }

  private static func ownMetadata(_ metadata: [String: Any]) -> [String: String] {
    metadata.filter { !$0.key.hasPrefix("NS") && !$0.key.hasPrefix("_NS") }.mapValues {
      ($0 as? Data).map(CellText.size) ?? "\($0)"
    }
  }

  private static func entities(
    of store: OpenedStore, _ tables: TableReport?
  ) throws -> [Entity] {
    let layouts = store.coordinator.managedObjectModel.entityLayouts()
    return try layouts.map { layout in
      let entity = layout.entity
      let count = try tables?.count(layout) ?? Self.count(entity, store: store)
      var report = Entity(
        name: entity.name ?? "", parent: entity.superentity?.name, isAbstract: entity.isAbstract,
        objects: count, attributes: entity.attributesByName.count,
        relationships: entity.relationshipsByName.count)
      tables?.describe(layout, in: &report)
      return report
    }
  }

  private static func count(_ entity: NSEntityDescription, store: OpenedStore) throws -> Int {
    try store.withContext { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
      request.includesSubentities = false
      return try context.count(for: request)
    }
  }

  private static func externalData(_ store: OpenedStore) throws -> ExternalData? {
    guard let folder = store.store.externalDataFolder,
      FileManager.default.fileExists(atPath: folder.path)
    else { return nil }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      UUID(uuidString: $0) != nil
    }
    let sizes = names.compactMap {
      (try? FileManager.default.attributesOfItem(atPath: folder.appendingPathComponent($0).path))?[
        .size]
        as? NSNumber
    }
    return ExternalData(files: names.count, bytes: sizes.reduce(0) { $0 + $1.intValue })
  }
}
