import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Transient relationships that appear, disappear, or become or were stored ones, in all ways of a migration; and stores
/// that are copied into other forms.
@Suite struct TransientMigrationTests {
  enum Change: CaseIterable {
    case appears, disappears, becomesStored, becomesTransient
    /// Both sides at once.
    case bothBecomeStored, bothBecomeTransient

    /// The two versions: whether a relationship is transient, nil where it is not there.
    func isTransient(_ name: String, _ pair: TransientPair, isNew: Bool) -> Bool? {
      let isFirst = name == pair.name
      let standard = !pair.isStored(name)
      return switch self {
      case .appears: isNew || !isFirst ? standard : nil
      case .disappears: !isNew || !isFirst ? standard : nil
      case .becomesStored: isFirst ? !isNew : standard
      case .becomesTransient: isFirst ? isNew : standard
      case .bothBecomeStored: !isNew
      case .bothBecomeTransient: isNew
      }
    }

    func model(isNew: Bool) -> NSManagedObjectModel {
      TransientModel.make(isTransient: { isTransient($0, $1, isNew: isNew) })
    }

    /// Whom the first owner has. Where one version has no inverse, a member has one owner.
    func members(_ pair: TransientPair) -> [String] {
      let standAlone = pair.inverseSide != .toOne && [.appears, .disappears].contains(self)
      let numbers = pair.side == .toOne ? [1] : standAlone ? [2] : [2, 1]
      return numbers.map { "\(pair.destination)\($0)" }
    }

    /// Who is related to whom by what a store keeps.
    func links(_ pair: TransientPair, isNew: Bool) -> [String] {
      let stored = [false, true].map { isNew in
        pair.names.filter { isTransient($0, pair, isNew: isNew) == false }
      }
      let names = isNew ? stored[1] : stored[0]
      if stored[0].isEmpty { return [] }
      // A new relationship that is the inverse of an old one has its members, without their order.
      return names.flatMap { name -> [String] in
        let owner = "\(pair.owner)0"
        let others = members(pair)
        let isOrdered = pair.side(of: name) == .ordered && (stored[0].contains(name))
        let forward = "\(owner): \(isOrdered ? others : others.sorted())"
        let back = others.map { "\($0): \([owner])" }
        if pair.inverse == .itself { return ([forward] + back).map { "\(name) \($0)" } }
        return (name == pair.name ? [forward] : back).map { "\(name) \($0)" }
      }.sorted()
    }
  }

  /// How a store is migrated: as it is opened, or by inferred mappings, as rows or with objects.
  enum Way: CaseIterable {
    case automatic, rows, objects
  }

  @Test(arguments: Sample.of(StoreKind.all.filter(\.isDurable), Change.allCases))
  func aStoreIsMigrated(_ kind: StoreKind, _ change: Change) throws {
    for way in Way.allCases where (way == .automatic) == kind.speaksSQL || kind == .sqlite {
      let folder = try StoreFixture.makeFolder()
      defer { try? FileManager.default.removeItem(at: folder) }
      let url = try #require(try kind.url(folder.appendingPathComponent("Store.data")))
      let type = NSPersistentStore.StoreType(rawValue: kind.rawValue)
      let old = try StoreFixture(change.model(isNew: false), at: url, type: type)
      try fill(old.coordinator, change)
      expect(change, in: try contents(old.coordinator), isNew: false, "\(way)")
      try old.close()
      try migrate(url, kind, change, way)
      let new = try StoreFixture(
        change.model(isNew: true), at: url, type: type,
        options: [
          NSMigratePersistentStoresAutomaticallyOption: true,
          NSInferMappingModelAutomaticallyOption: true,
        ])
      expect(change, in: try contents(new.coordinator), isNew: true, "\(way)")
      try new.close()
      try checkSchema(kind, url, change, way)
    }
  }

  private func migrate(_ url: URL, _ kind: StoreKind, _ change: Change, _ way: Way) throws {
    if way == .automatic { return }
    let (source, destination) = (change.model(isNew: false), change.model(isNew: true))
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: source, destinationModel: destination)
    if way == .objects {
      for entity in mapping.entityMappings {
        entity.entityMigrationPolicyClassName = NSStringFromClass(PlainPolicy.self)
      }
    }
    try StoreMigration(
      url: url, type: kind.rawValue, configuration: nil, options: [:], destination: destination,
      route: .init(source: source, mapping: mapping, leavesPlace: true)
    ).run()
  }

  /// The tables are those of a new store.
  private func checkSchema(
    _ kind: StoreKind, _ url: URL, _ change: Change, _ way: Way
  ) throws {
    guard kind.speaksSQL else { return }
    let place = try StoreFixture.makeFolder()
    defer { try? FileManager.default.removeItem(at: place) }
    let other = try #require(try kind.url(place.appendingPathComponent("Store.data")))
    let fresh = try StoreFixture(
      change.model(isNew: true), at: other, type: .init(rawValue: kind.rawValue))
    try fresh.close()
    let lines = try [url, other].map { url in
      kind == .sqlite ? try SchemaText(url).statements : try ServerSchema(url).lines
    }
    #expect(lines[0].subtracting(lines[1]).sorted() == [], "\(change), \(way)")
    #expect(lines[1].subtracting(lines[0]).sorted() == [], "\(change), \(way)")
    if kind == .sqlite {
      let checked = try StoreChecker.checkRows(url)
      #expect(checked.status == 0, "\(change), \(way): \(checked.text)")
    } else {
      for url in [url, other] { try ServerSchema.drop(url) }
    }
  }

  // MARK: - Contents

  private func fill(_ coordinator: NSPersistentStoreCoordinator, _ change: Change) throws {
    let context = coordinator.makeContext()
    try context.performAndWait {
      for pair in TransientPair.all {
        let objects = TransientObjects(making: pair, in: context)
        let members = change.members(pair)
        for name in pair.names where change.isTransient(name, pair, isNew: false) != nil {
          if name == pair.name {
            objects.set(name, objects.owners[0], members)
          } else {
            for member in members { objects.add(name, member, objects.owners[0]) }
          }
        }
      }
      try context.save()
    }
  }

  /// A line for each relationship of an object that leads to somebody, by pair.
  private func contents(_ coordinator: NSPersistentStoreCoordinator) throws -> [String: [String]] {
    let context = coordinator.makeContext()
    return try context.performAndWait {
      var lines: [String: [String]] = [:]
      for pair in TransientPair.all {
        let objects = try TransientObjects(fetching: pair, in: context)
        let names = pair.names.filter { name in
          let entity = name == pair.name ? pair.owner : pair.destination
          return coordinator.managedObjectModel.entitiesByName[entity]?.propertiesByName[name]
            != nil
        }
        lines[pair.name] = names.flatMap { name in
          objects.ends(of: name).owners.compactMap { owner in
            let found = objects.members(name, owner)
            if found.isEmpty { return nil }
            let isOrdered = pair.side(of: name) == .ordered
            return "\(name) \(owner): \(isOrdered ? found : found.sorted())"
          }
        }.sorted()
      }
      return lines
    }
  }

  private func expect(
    _ change: Change, in contents: [String: [String]], isNew: Bool, _ comment: Comment
  ) {
    for pair in TransientPair.all {
      let links = change.links(pair, isNew: isNew)
      #expect(contents[pair.name] == links, "\(comment), \(change), \(pair), new: \(isNew)")
    }
  }

  // MARK: - Copies

  private static let kinds = StoreKind.builtIn

  private func fill(_ coordinator: NSPersistentStoreCoordinator) throws -> [String: PlainPair] {
    let context = coordinator.makeContext()
    return try context.performAndWait {
      var contents: [String: PlainPair] = [:]
      for pair in TransientPair.all {
        let objects = TransientObjects(making: pair, in: context)
        objects.set(pair.name, objects.owners[0], objects.someMembers(pair.name))
        try context.save()
        contents[pair.name] = objects.plain().stored
      }
      return contents
    }
  }

  private func expect(
    _ contents: [String: PlainPair], in coordinator: NSPersistentStoreCoordinator,
    _ comment: Comment
  ) throws {
    let context = coordinator.makeContext()
    try context.performAndWait {
      for pair in TransientPair.all {
        let objects = try TransientObjects(fetching: pair, in: context)
        #expect(objects.objects.count == (pair.inverse == .itself ? 3 : 6), "\(comment), \(pair)")
        #expect(objects.plain() == contents[pair.name], "\(comment), \(pair)")
      }
    }
  }

  @Test(arguments: Sample.of(kinds, kinds))
  func aStoreMovesIntoAnotherForm(_ kind: StoreKind, _ newKind: StoreKind) throws {
    let folder = try StoreFixture.makeFolder()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TransientModel.make())
    let store = try coordinator.addPersistentStore(
      ofType: kind.rawValue, configurationName: nil,
      at: kind.url(folder.appendingPathComponent("Old.data")))
    let contents = try fill(coordinator)
    try expect(contents, in: coordinator, "before")
    let url = try #require(try newKind.url(folder.appendingPathComponent("New.data")))
    let moved = try coordinator.migratePersistentStore(
      store, to: url, options: nil, withType: newKind.rawValue)
    try expect(contents, in: coordinator, "moved")
    guard newKind.isDurable else { return }
    try coordinator.remove(moved)
    let again = NSPersistentStoreCoordinator(managedObjectModel: TransientModel.make())
    try again.addPersistentStore(ofType: newKind.rawValue, configurationName: nil, at: url)
    try expect(contents, in: again, "opened again")
  }

  @Test(arguments: kinds.filter(\.isDurable), kinds.filter(\.isDurable))
  func aStoreTakesThePlaceOfAnother(_ kind: StoreKind, _ newKind: StoreKind) throws {
    // Files of one form, and those of SQLite and servers.
    guard kind == newKind || kind.speaksSQL && newKind.speaksSQL else { return }
    let folder = try StoreFixture.makeFolder()
    let url = try #require(try kind.url(folder.appendingPathComponent("Old.data")))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TransientModel.make())
    let store = try coordinator.addPersistentStore(
      ofType: kind.rawValue, configurationName: nil, at: url)
    let contents = try fill(coordinator)
    try coordinator.remove(store)
    let place = try #require(try newKind.url(folder.appendingPathComponent("New.data")))
    let again = NSPersistentStoreCoordinator(managedObjectModel: TransientModel.make())
    try again.replacePersistentStore(
      at: place, withPersistentStoreFrom: url,
      ofType: (kind == .postgreSQL ? kind : newKind).rawValue)
    try again.addPersistentStore(ofType: newKind.rawValue, configurationName: nil, at: place)
    try expect(contents, in: again, "replaced")
  }
}
