import CoreData
import CoreDataSupport
import PostgreSQLServer
import Testing
import TestSupport

@testable import PostgreSQLStore

/// Models whose names mean something to SQL or to PostgreSQL: words of SQL, quotes, columns that every table has, names of
/// indexes and sequences, and such as are longer than the server keeps.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct NamesTests {
  private static let names = [
    "user", "order", "SELECT", "Table", "null", "xmin", "xmax", "ctid", "tableoid", "cmin", "oid",
    "a\"b", "a'b", "a b", "a;--", "$1", "%s", "\\", "Grüße", "日本語", "Ａ", "ab", "AB", "_key",
    "_version", "_entity", "_coredata_store", "_coredata_changes", "_coredata_savers", "t0", "t1",
    "user_keys", "user_keys1", "user_pkey", "user_order_idx", "order_pkey1", "order_keys",
    String(repeating: "x", count: 57), String(repeating: "x", count: 58),
    String(repeating: "x", count: 63), String(repeating: "x", count: 64),
    String(repeating: "x", count: 64) + "_keys", String(repeating: "é", count: 40),
    String(repeating: "é", count: 40) + "a", String(repeating: "日", count: 30),
  ]

  /// Entities in a ring, each with a text, a number and members among the next ones.
  private struct Names {
    let entities: [String]
    let texts: [String]
    let numbers: [String]
    let members: [String]
    let owners: [String]

    init(_ count: Int, from names: [String], _ generator: inout some RandomNumberGenerator) {
      entities = Array(names.shuffled(using: &generator).prefix(count))
      let properties = entities.map { _ in names.shuffled(using: &generator) }
      (texts, numbers) = (properties.map { $0[0] }, properties.map { $0[1] })
      (members, owners) = (properties.map { $0[2] }, properties.map { $0[3] })
    }

    /// - Parameter isNext: with one more attribute, and without the last entity's number.
    func model(isNext: Bool = false) -> NSManagedObjectModel {
      let all = entities.map { ModelPart.entity($0) }
      for (place, entity) in all.enumerated() {
        var attributes = [
          ModelPart.attribute(texts[place], .stringAttributeType),
          ModelPart.attribute(numbers[place], .integer64AttributeType),
        ]
        if isNext { attributes.append(ModelPart.attribute("\(texts[place])2")) }
        entity.properties += attributes
        let next = (place + 1) % all.count
        // The name of the inverse is free in the other entity.
        ModelPart.join(entity, members[place], 0, all[next], "\(owners[next])<", 0)
        entity.uniquenessConstraints = [[texts[place]]]
        let element = NSFetchIndexElementDescription(
          property: attributes[1], collationType: .binary)
        entity.indexes = [NSFetchIndexDescription(name: "by number", elements: [element])]
      }
      return ModelPart.model(all)
    }
  }

  @Test(arguments: 0..<40) func everyNameIsAName(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let names = Names(6, from: Self.names, &generator)
    try check(names, TestName.make("names"))
  }

  /// All at once: whatever may be taken for something else is there beside it.
  @Test func allNamesGoTogether() throws {
    var generator = SplitMix64(seed: 7)
    try check(Names(Self.names.count, from: Self.names, &generator), TestName.make("all"))
  }

  private func check(_ names: Names, _ schema: String) throws {
    let url = try PostgreSQLServer.url(schema: schema)
    let options = [NSPersistentHistoryTrackingKey: true]
    var coordinator = try open(names.model(), url, options)
    try fill(coordinator, names)
    try expectAll(coordinator, names)
    try coordinator.removeStores()
    coordinator = try open(
      names.model(isNext: true), url,
      [
        NSPersistentHistoryTrackingKey: true,
        NSMigratePersistentStoresAutomaticallyOption: true,
        NSInferMappingModelAutomaticallyOption: true,
      ])
    try expectAll(coordinator, names)
    let copy = try PostgreSQLServer.url(schema: "\(schema)_copy")
    try coordinator.replacePersistentStore(
      at: copy, withPersistentStoreFrom: url, type: .postgreSQL)
    try expectAll(open(names.model(isNext: true), copy, options), names)
    try coordinator.destroyPersistentStore(at: copy, type: .postgreSQL)
    let server = try PostgreSQLConnection(ServerAddress(copy), timeout: nil)
    let left = try server.query(
      "SELECT count(*) FROM pg_class WHERE relnamespace = $1::text::regnamespace",
      parameters: [.text("\(schema)_copy")])
    #expect(left.integer(0, column: 0) == 0)
  }

  private func open(
    _ model: NSManagedObjectModel, _ url: URL, _ options: [AnyHashable: Any]
  ) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .postgreSQL, at: url, options: options)
    return coordinator
  }

  /// Two of each entity; the first has both of the next.
  private func fill(_ coordinator: NSPersistentStoreCoordinator, _ names: Names) throws {
    let context = coordinator.makeContext()
    try context.performAndWait { () throws in
      let objects = names.entities.enumerated().map { place, name in
        (0..<2).map { number in
          let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
          object.setValue("\(name) \(number)", forKey: names.texts[place])
          object.setValue(number, forKey: names.numbers[place])
          return object
        }
      }
      for place in objects.indices {
        objects[place][0].setValue(
          Set(objects[(place + 1) % objects.count]), forKey: names.members[place])
      }
      try context.save()
      // An update and a conflict that is none.
      for (place, pair) in objects.enumerated() {
        pair[1].setValue(7, forKey: names.numbers[place])
      }
      try context.save()
    }
  }

  private func expectAll(_ coordinator: NSPersistentStoreCoordinator, _ names: Names) throws {
    let context = coordinator.makeContext()
    try context.performAndWait { () throws in
      for (place, name) in names.entities.enumerated() {
        func found(_ predicate: NSPredicate?) throws -> [String] {
          let request = NSFetchRequest<NSManagedObject>(entityName: name)
          request.predicate = predicate
          request.sortDescriptors = [
            NSSortDescriptor(key: names.numbers[place], ascending: false)
          ]
          return try context.fetch(request).map {
            $0.value(forKey: names.texts[place]) as? String ?? ""
          }
        }
        func equal(_ path: [String], _ value: Any, any: Bool = false) -> NSPredicate {
          NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: path.joined(separator: ".")),
            rightExpression: NSExpression(forConstantValue: value), modifier: any ? .any : .direct,
            type: .equalTo)
        }
        let next = (place + 1) % names.entities.count
        #expect(try found(nil) == ["\(name) 1", "\(name) 0"])
        #expect(try found(equal([names.texts[place]], "\(name) 1")) == ["\(name) 1"])
        #expect(try found(equal([names.numbers[place]], 7)) == ["\(name) 1"])
        #expect(
          try found(
            equal(
              [names.members[place], names.texts[next]], "\(names.entities[next]) 1", any: true))
            == ["\(name) 0"])
      }
    }
  }
}
