import CoreData
import CoreDataSupport
import PostgreSQLServer
import Synchronization
import Testing
import TestSupport

@testable import PostgreSQLStore

/// Two versions of an application at once: what old processes do before, while and after a new one has migrated the store.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct RollOutTests {
  private static var options: [AnyHashable: Any] {
    [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true,
    ]
  }

  /// What the new version has more than the old one.
  enum Gain: CaseIterable {
    case optional, integer, truth, real, date, text, decimal, uuid, uri, data, optionalWithDefault
    case entity, index, all
  }

  private static var defaults: [Gain: (NSAttributeType, Any)] {
    [
      .integer: (.integer64AttributeType, 7), .truth: (.booleanAttributeType, true),
      .real: (.doubleAttributeType, 0.1),
      .date: (.dateAttributeType, Date(timeIntervalSinceReferenceDate: 0.25)),
      .text: (.stringAttributeType, #"it's "new" \ é"#),
      .decimal: (.decimalAttributeType, NSDecimalNumber(string: "12345678901234567.89")),
      .uuid: (.UUIDAttributeType, UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") as Any),
      .uri: (.URIAttributeType, URL(string: "https://a.example/'x'") as Any),
      .data: (.binaryDataAttributeType, Data([0, 39, 92, 255])),
      .optionalWithDefault: (.integer32AttributeType, -5),
    ]
  }

  private static func model(_ change: (NSEntityDescription) -> [NSEntityDescription] = { _ in [] })
    -> NSManagedObjectModel
  {
    let (item, special) = (NSEntityDescription(), NSEntityDescription())
    (item.name, special.name) = ("Item", "Special")
    item.subentities = [special]
    item.properties = [
      ModelPart.attribute("name"), ModelPart.attribute("count", .integer64AttributeType),
    ]
    special.properties = [ModelPart.attribute("kind")]
    return ModelPart.model([item, special] + change(item))
  }

  private static func newer(_ gain: Gain) -> NSManagedObjectModel {
    model { item in
      let gains = gain == .all ? Gain.allCases : [gain]
      var entities: [NSEntityDescription] = []
      for gain in gains {
        switch gain {
        case .optional: item.properties.append(ModelPart.attribute("gained"))
        case .entity:
          let entity = NSEntityDescription()
          entity.name = "Other"
          entity.properties = [ModelPart.attribute("name")]
          entities.append(entity)
        case .index:
          let name = item.properties[0]
          item.indexes = [
            NSFetchIndexDescription(
              name: "byName",
              elements: [NSFetchIndexElementDescription(property: name, collationType: .binary)])
          ]
        case .all: break
        default:
          guard let (type, value) = defaults[gain] else { continue }
          item.properties.append(
            ModelPart.attribute(
              "\(gain)", type, default: value, isOptional: gain == .optionalWithDefault))
        }
      }
      return entities
    }
  }

  private static func context(
    _ model: NSManagedObjectModel, _ url: URL, _ more: [AnyHashable: Any] = [:]
  ) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      type: .postgreSQL, at: url, options: options.merging(more) { $1 })
    let context = coordinator.makeContext()
    return context
  }

  private func url() throws -> URL {
    try PostgreSQLServer.url(schema: "o" + UUID().uuidString.lowercased().filter { $0 != "-" })
  }

  // MARK: - What an old process does

  private static func items(
    _ context: NSManagedObjectContext, _ format: String = "TRUEPREDICATE"
  ) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.predicate = NSPredicate(format: format)
    return try context.fetch(request)
  }

  /// Inserts, one by one and many at once; edits; fetches; deletes. Leaves one item more than there were for each kind.
  private static func work(_ context: NSManagedObjectContext, _ name: String) throws {
    try context.performAndWait {
      for entity in ["Item", "Special"] {
        let item = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        item.setValue("\(name) new", forKey: "name")
      }
      try context.save()
      for number in 0..<40 {
        let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
        item.setValue("\(name) \(number)", forKey: "name")
      }
      try context.save()
      let many = try items(context, "name BEGINSWITH '\(name) ' AND NOT name ENDSWITH 'new'")
      #expect(many.count == 40)
      for item in many { item.setValue(Int64(1), forKey: "count") }
      try context.save()
      for item in many { context.delete(item) }
      try context.save()
      _ = try context.execute(
        NSBatchInsertRequest(entityName: "Item", objects: [["name": "\(name) batch"]]))
    }
  }

  @Test(arguments: Gain.allCases) func oldProcessesWorkOnBesideNewOnes(_ gain: Gain) throws {
    let url = try url()
    let running = try Self.context(Self.model(), url)
    try Self.work(running, "before")
    // While the store is migrated.
    let failures = Mutex<[String]>([])
    let isOver = Atomic(false)
    let rounds = Mutex(0)
    let group = DispatchGroup()
    group.enter()
    Thread.detachNewThread {
      defer { group.leave() }
      while !isOver.load(ordering: .relaxed) {
        let round = rounds.withLock { $0 }
        do { try Self.work(running, "meanwhile\(round)") } catch {
          failures.withLock { $0.append("\(error)") }
        }
        rounds.withLock { $0 += 1 }
      }
    }
    try Patience.wait(for: "the old process to be at it") { rounds.withLock { $0 } > 0 }
    let new = try Self.context(Self.newer(gain), url)
    let then = rounds.withLock { $0 }
    try Patience.wait(for: "the old process to go on") { rounds.withLock { $0 } > then + 1 }
    isOver.store(true, ordering: .relaxed)
    group.wait()
    #expect(failures.withLock { $0 } == [])
    try Self.work(running, "after")
    // One that starts again.
    try Self.work(Self.context(Self.model(), url), "restarted")
    let expected = 3 * (rounds.withLock { $0 } + 3)
    try new.performAndWait {
      let items = try Self.items(new)
      #expect(items.count == expected)
      for (other, value) in Self.defaults where gain == other || gain == .all {
        let key = "\(other)"
        let found = try new.count(
          for: {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.predicate = NSPredicate(
              format: "%K == %@", argumentArray: [key, value.1])
            return request
          }())
        // Data are not compared by all.
        #expect(found == expected, "\(other)")
        #expect(
          items.allSatisfy { ($0.value(forKey: key) as? NSObject)?.isEqual(value.1) == true },
          "\(other)")
      }
      // Whoever wrote them, a new process saves them.
      for item in items { item.setValue("saved", forKey: "name") }
      try new.save()
    }
    // And the old one sees that.
    let seen = try running.performAndWait {
      running.refreshAllObjects()
      return try Self.items(running, "name == 'saved'").count
    }
    #expect(seen == expected)
  }

  /// The table stays as it is: no row is written.
  @Test func anAttributeWithADefaultCostsTheSameForAnyNumberOfRows() throws {
    let url = try url()
    let old = try Self.context(Self.model(), url)
    try Self.work(old, "old")
    let server = try PostgreSQLConnection(ServerAddress(url), timeout: nil)
    func rows() throws -> String {
      try server.query("SELECT string_agg(ctid::text, ' ' ORDER BY _key) FROM \"Item\"").text(
        0, column: 0)
    }
    let before = try rows()
    _ = try Self.context(Self.newer(.all), url)
    #expect(try rows() == before)
  }

  // MARK: - What is for new processes alone

  enum Change: CaseIterable {
    case removed, renamed, mandatory, relationship, subentity, constraint, derived
  }

  private static func newer(_ change: Change) -> NSManagedObjectModel {
    model { item in
      let count = item.properties[1]
      switch change {
      case .removed: item.properties.removeLast()
      case .renamed: (count.name, count.renamingIdentifier) = ("number", "count")
      case .mandatory:
        count.isOptional = false
        (count as? NSAttributeDescription)?.defaultValue = 3
      case .relationship:
        let parent = NSRelationshipDescription()
        (parent.name, parent.maxCount, parent.destinationEntity) = ("parent", 1, item)
        parent.isOptional = true
        item.properties.append(parent)
      case .subentity:
        let entity = NSEntityDescription()
        entity.name = "Another"
        item.subentities.append(entity)
        return [entity]
      case .constraint: item.uniquenessConstraints = [["name"]]
      case .derived:
        let derived = NSDerivedAttributeDescription()
        (derived.name, derived.attributeType) = ("folded", .stringAttributeType)
        derived.derivationExpression = NSExpression(format: "lowercase:(name)")
        item.properties.append(derived)
      }
      return []
    }
  }

  private func code(_ body: () throws -> Void) -> Int {
    do {
      try body()
      return 0
    } catch { return (error as NSError).code }
  }

  @Test(arguments: Change.allCases) func whatAnOldProcessCouldHarmIsClosedToIt(
    _ change: Change
  ) throws {
    let url = try url()
    _ = try Self.context(Self.model(), url)
    _ = try Self.context(Self.newer(change), url)
    let none = [NSMigratePersistentStoresAutomaticallyOption: false]
    #expect(
      code { _ = try Self.context(Self.model(), url, none) }
        == NSPersistentStoreIncompatibleVersionHashError)
  }

  @Test func anOldProcessIsRefusedWhereThatIsAskedFor() throws {
    let url = try url()
    _ = try Self.context(Self.model(), url)
    _ = try Self.context(Self.newer(.all), url)
    let refusing: [AnyHashable: Any] = [
      OpenCoreDataAdmitsOlderModelsOption: false,
      NSMigratePersistentStoresAutomaticallyOption: false,
    ]
    #expect(
      code { _ = try Self.context(Self.model(), url, refusing) }
        == NSPersistentStoreIncompatibleVersionHashError)
    // What it has written of itself stays that of the new one.
    _ = try Self.context(Self.model(), url)
    let fits = Self.newer(.all).isConfiguration(
      withName: nil,
      compatibleWithStoreMetadata: try NSPersistentStoreCoordinator.metadataForPersistentStore(
        type: .postgreSQL, at: url))
    #expect(fits)
  }
}
