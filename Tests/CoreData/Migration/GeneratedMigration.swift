import Foundation
import PostgreSQLServer
import Testing

@testable import CoreData
@testable import CoreDataSamples
@testable import StoreWriter

/// A store of one plain model, led to another in some way.
struct GeneratedMigration {
  enum Way: CaseIterable {
    /// SQL where the store is, at once or with a part of it later.
    case inPlace, deferred
    /// By the same mappings into another store: as rows, and with a policy that has to see objects.
    case rows, objects
    /// By mappings that are written out in code.
    case explicit
    /// Stores of one file.
    case xml, binary
    /// In one stage, and with code after the edits' first half.
    case lightweightStage, customStage
    /// SQL on a server, at once and around code.
    case server, serverStage

    static let all = allCases.filter { !$0.isServer || PostgreSQLServer.isAvailable }

    var isServer: Bool { self == .server || self == .serverStage }
    var hasCode: Bool { self == .customStage || self == .serverStage }

    var type: NSPersistentStore.StoreType {
      switch self {
      case .xml: .xml
      case .binary: .binary
      case .server, .serverStage: .init(rawValue: StoreKind.postgreSQL.rawValue)
      default: .sqlite
      }
    }

    var isSQLite: Bool { type == .sqlite }
    var hasHistory: Bool { isSQLite || isServer }
    /// Whether the file is still the one that was there.
    var isInPlace: Bool { [.inPlace, .deferred, .lightweightStage, .customStage].contains(self) }
  }

  let way: Way
  let old: PlainModel
  let middle: PlainModel
  let new: PlainModel
  let tracksHistory: Bool

  func check(_ random: inout SplitMix64, _ comment: Comment) throws {
    let folder = try StoreFixture.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("Store.data")
    let url = way.isServer ? try PostgreSQLServer.url(insteadOf: file) : file
    let before = try StoreFixture(
      old.model(), at: url, type: way.type, configuration: old.configuration, options: options)
    let contents = try PlainContents(filling: before, old, &random)
    try before.close()
    var expected = contents.migrated(from: old, to: new)
    if way.hasCode, passesStage {
      expected = contents.migrated(from: old, to: middle).marked.migrated(from: middle, to: new)
    }
    // Few enough that there are saves on the way.
    let limit = way == .objects ? Int.random(in: 1...12, using: &random) : DraftSaves.limit
    try DraftSaves.$limit.withValue(limit) { try migrate(url) }
    var all = options
    all[NSMigratePersistentStoresAutomaticallyOption] = true
    // Versions are made by chance: the store alone has the former one.
    all[OpenCoreDataRemovesEntitiesOption] = true
    all[NSInferMappingModelAutomaticallyOption] = true
    if way == .deferred { all[NSPersistentStoreDeferredLightweightMigrationOptionKey] = true }
    if let stages { all[NSPersistentStoreStagedMigrationManagerOptionKey] = stages }
    let after = try StoreFixture(
      new.model(), at: url, type: way.type, configuration: new.configuration, options: all)
    try expect(expected, in: after, comment)
    if way == .deferred {
      try after.coordinator.finishDeferredLightweightMigration()
      try expect(expected, in: after, comment)
    }
    try after.close()
    #expect(try StoreFolder(folder).leftovers() == [], comment)
    if way.isSQLite { try checkFile(url, comment) }
    if way.isServer { try checkServer(url, comment) }
  }

  /// The tables are those of a new store.
  private func checkServer(_ url: URL, _ comment: Comment) throws {
    let place = try StoreFixture.makeFolder()
    defer { try? FileManager.default.removeItem(at: place) }
    let other = try PostgreSQLServer.url(insteadOf: place.appendingPathComponent("Store.data"))
    let fresh = try StoreFixture(
      new.model(), at: other, type: way.type, configuration: new.configuration, options: options)
    try fresh.close()
    let (found, wanted) = try (ServerSchema(url).lines, ServerSchema(other).lines)
    #expect(surplus(found, wanted) == [], comment)
    #expect(wanted.subtracting(found).sorted() == [], comment)
    for url in [url, other] { try ServerSchema.drop(url) }
  }

  /// What the file has too much. A store that fits is not migrated: an index that the model has no more is left to it.
  private func surplus(_ found: Set<String>, _ wanted: Set<String>) -> [String] {
    let fits = old.model().entityVersionHashesByName == new.model().entityVersionHashesByName
    return found.subtracting(wanted).filter { !(fits && $0.contains("CREATE INDEX")) }.sorted()
  }

  private var options: [AnyHashable: Any] {
    tracksHistory ? [NSPersistentHistoryTrackingKey: true] : [:]
  }

  private func expect(
    _ expected: PlainContents, in fixture: StoreFixture, _ comment: Comment
  ) throws {
    let found = try PlainContents(reading: fixture, new)
    var plain = found.withoutNewOrder(from: old, to: new)
    // Twice where there were two steps: what was unordered in the middle has no order from before.
    if way.hasCode { plain = plain.withoutNewOrder(from: middle, to: new) }
    var told = expected
    if way.hasCode { told = told.withoutNewOrder(from: middle, to: new) }
    #expect(plain.lines == told.withoutNewOrder(from: old, to: new).lines, comment)
  }

  private func checkFile(_ url: URL, _ comment: Comment) throws {
    let fresh = try StoreFixture(
      new.model(), at: try StoreFixture.makeFolder().appendingPathComponent("Store.data"),
      configuration: new.configuration, options: options)
    let (found, wanted) = try (SchemaText(url).statements, SchemaText(fresh.url).statements)
    #expect(surplus(found, wanted) == [], comment)
    #expect(wanted.subtracting(found).sorted() == [], comment)
    try fresh.close()
    try FileManager.default.removeItem(at: fresh.folder)
    guard !new.isConfigured else { return }
    let checked = try StoreChecker.checkRows(url)
    #expect(checked.status == 0, "\(comment): \(checked.text)")
  }

  // MARK: - Ways

  private func migrate(_ url: URL) throws {
    switch way {
    case .inPlace, .deferred, .lightweightStage, .customStage, .server, .serverStage: break
    case .rows, .xml, .binary: try migrate(url, by: inferred())
    case .objects:
      let mapping = try inferred()
      for entity in mapping.entityMappings
      where entity.mappingType != .addEntityMappingType
        && entity.mappingType != .removeEntityMappingType
      {
        entity.entityMigrationPolicyClassName = NSStringFromClass(PlainPolicy.self)
      }
      try migrate(url, by: mapping)
    case .explicit:
      let mapping = ExplicitMapping(old: old, new: new).model()
      // Where no objects are left there is nothing to be written out.
      try migrate(url, by: mapping.entityMappings.isEmpty ? inferred() : mapping)
    }
  }

  private func inferred() throws -> NSMappingModel {
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: old.model(), destinationModel: new.model())
    return mapping
  }

  /// As the coordinator does by mappings of a bundle; a store that fits is left as it is.
  private func migrate(_ url: URL, by mapping: NSMappingModel) throws {
    let destination = new.model()
    try StoreMigration(
      url: url, type: way.type.rawValue, configuration: new.configuration, options: options,
      destination: destination,
      route: .init(source: old.model(), mapping: mapping, leavesPlace: true)
    ).run()
  }

  // MARK: - Stages

  /// Whether there is something to be done before the code, and after it.
  private var passesStage: Bool {
    let checksums = [old, middle, new].map { $0.model().versionChecksum }
    return Set(checksums).count == 3
  }

  private var stages: NSStagedMigrationManager? {
    let (first, last) = (old.model(), new.model())
    guard first.versionChecksum != last.versionChecksum else { return nil }
    switch way {
    case .lightweightStage:
      return NSStagedMigrationManager([
        NSLightweightMigrationStage([first.versionChecksum, last.versionChecksum])
      ])
    case .customStage where passesStage, .serverStage where passesStage:
      return NSStagedMigrationManager([
        marking(first, middle.model()), NSLightweightMigrationStage([last.versionChecksum]),
      ])
    default: return nil
    }
  }

  private func marking(
    _ first: NSManagedObjectModel, _ second: NSManagedObjectModel
  ) -> NSMigrationStage {
    let stage = NSCustomMigrationStage(
      migratingFrom: .init(model: first, versionChecksum: first.versionChecksum),
      to: .init(model: second, versionChecksum: second.versionChecksum))
    let middle = middle
    stage.didMigrateHandler = { manager, _ in
      let context = try #require(manager.container).newBackgroundContext()
      try context.performAndWait {
        for entity in middle.entities where !entity.isAbstract {
          let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
          request.includesSubentities = false
          for object in try context.fetch(request) {
            let key = PlainModel.keyName(entity)
            object.setValue("\(object.value(forKey: key) ?? "")*", forKey: key)
          }
        }
        try context.save()
      }
    }
    return stage
  }
}
