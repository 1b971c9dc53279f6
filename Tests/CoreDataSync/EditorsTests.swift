import CoreData
import CoreDataSupport
import Synchronization
import TestSupport
import Testing

@testable import CoreDataSync

/// Contexts that have something of their own while a page is applied, and others who write into the
/// store meanwhile.
@Suite struct EditorsTests {
  private static let model: NSManagedObjectModel = {
    let list = ModelPart.entity("List", [ModelPart.attribute("name"), ModelPart.attribute("note")])
    let item = ModelPart.entity(
      "Item",
      [ModelPart.attribute("name"), ModelPart.attribute("note"), ModelPart.counter("count")])
    item.uniquenessConstraints = [["name"]]
    ModelPart.connect(
      ModelPart.end(list, "items", to: item, rule: .cascadeDeleteRule, isOrdered: true),
      ModelPart.end(item, "list", to: list, maxCount: 1))
    return ModelPart.model([list, item])
  }()

  private static func filled() async throws -> Devices {
    let devices = try Devices(model)
    try devices.a.edit { context in
      let list = context.insert("List", ["name": "l"])
      for name in ["1", "2", "3"] { context.insert("Item", ["name": name, "list": list]) }
    }
    try await devices.settle()
    return devices
  }

  /// A context as of a view, that sees what is saved elsewhere.
  private static func view(_ phone: Phone, _ policy: NSMergePolicy) -> NSManagedObjectContext {
    let context = phone.coordinator.makeContext()
    context.automaticallyMergesChangesFromParent = true
    context.mergePolicy = policy
    context.transactionAuthor = "app"
    return context
  }

  enum Pending: String, CaseIterable { case insertion, update, deletion, move, order, count }
  enum Coming: String, CaseIterable { case edit, deletion, listDeletion, twin, order }

  /// What somebody has begun, and saves after something came: both show the same, and what was
  /// typed shows or is told.
  @Test(arguments: Sample.of(Pending.allCases, Coming.allCases))
  func whatIsPendingMeetsWhatComes(_ pending: Pending, _ coming: Coming) async throws {
    for isChild in [false, true] {
      let devices = try await Self.filled()
      let (a, b) = (devices.a, devices.b)
      let view = Self.view(a, .mergeByPropertyObjectTrump)
      let context: NSManagedObjectContext
      if isChild {
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.parent = view
      } else {
        context = view
      }
      try context.performAndWait { try Self.begin(pending, context) }
      try b.edit { try Self.send(coming, $0) }
      try await devices.settle()
      devices.cloud.now += 10_000
      var failure: (any Error)?
      context.performAndWait {
        do { try context.save() } catch {
          failure = error
          context.rollback()
        }
      }
      if isChild, failure == nil {
        view.performAndWait {
          do { try view.save() } catch {
            failure = error
            view.rollback()
          }
        }
      }
      try await devices.settleWholly()
      let pictures = try devices.phones.map(Self.picture)
      #expect(pictures[0] == pictures[1], "child: \(isChild)")
      if failure == nil, pending == .update, coming == .edit {
        #expect(pictures[0].contains { $0.contains("typed") }, "\(pictures[0])")
      }
      try devices.a.edit { $0.insert("Item", ["name": "afterwards"]) }
      try await devices.settleWholly()
      #expect(try b.values("Item", "name").contains("afterwards"))
      try await devices.close()
    }
  }

  private static func begin(_ pending: Pending, _ context: NSManagedObjectContext) throws {
    let list = try context.find("List", "name", "l")
    let one = try context.find("Item", "name", "1")
    switch pending {
    case .insertion: context.insert("Item", ["name": "new", "note": "typed", "list": list])
    case .update: one.setValue("typed", forKey: "note")
    case .deletion: context.delete(one)
    case .move: one.setValue(context.insert("List", ["name": "m"]), forKey: "list")
    case .order:
      list.mutableOrderedSetValue(forKey: "items").moveObjects(at: IndexSet(integer: 2), to: 0)
    case .count: one.setValue(7, forKey: "count")
    }
    context.processPendingChanges()
  }

  private static func send(_ coming: Coming, _ context: NSManagedObjectContext) throws {
    let one = try context.find("Item", "name", "1")
    switch coming {
    case .edit:
      one.setValue("came", forKey: "note")
      one.setValue(5, forKey: "count")
    case .deletion: context.delete(one)
    case .listDeletion: context.delete(try context.find("List", "name", "l"))
    case .twin: context.insert("Item", ["name": "new", "note": "of b", "count": 3])
    case .order:
      let items = try context.find("List", "name", "l").mutableOrderedSetValue(forKey: "items")
      items.moveObjects(at: IndexSet(integer: 0), to: 2)
    }
  }

  private static func picture(_ phone: Phone) throws -> [String] {
    try phone.read { context in
      try context.all("Item").map { item in
        """
        \(item.value(forKey: "name") ?? "-") \(item.value(forKey: "note") ?? "-") \
        \(item.value(forKey: "count") ?? "-") \(item.value(forKeyPath: "list.name") ?? "-")
        """
      }.sorted() + context.all("List").map { "\($0.names("items"))" }.sorted()
    }
  }

  /// A view sees what comes, and keeps what is not saved, without being told.
  @Test func aViewKeepsWhatIsTypedAndShowsWhatComes() async throws {
    let devices = try await Self.filled()
    let view = Self.view(devices.a, .mergeByPropertyObjectTrump)
    try view.performAndWait {
      try view.find("Item", "name", "1").setValue("typed", forKey: "note")
      _ = try view.find("List", "name", "l").names("items")
    }
    try devices.b.edit { context in
      try context.find("Item", "name", "1").setValue(4, forKey: "count")
      try context.find("Item", "name", "2").setValue("came", forKey: "note")
      let list = try context.find("List", "name", "l")
      context.insert("Item", ["name": "4", "list": list])
      try context.delete(context.find("Item", "name", "3"))
    }
    try await devices.settle()
    try view.performAndWait {
      let one = try view.find("Item", "name", "1")
      #expect(one.value(forKey: "note") as? String == "typed")
      #expect(one.value(forKey: "count") as? Int == 4)
      #expect(try view.find("Item", "name", "2").value(forKey: "note") as? String == "came")
      #expect(try view.find("List", "name", "l").names("items") == ["1", "2", "4"])
      try view.save()
    }
    try await devices.settleWholly()
    try devices.expect("Item", "note", ["came", "nil", "typed"])
    try devices.expect("Item", "count", ["0", "0", "4"])
  }

  /// What is undone after something came leaves alone what came.
  @Test func undoLeavesWhatCame() async throws {
    let devices = try await Self.filled()
    let view = Self.view(devices.a, .mergeByPropertyObjectTrump)
    view.undoManager = UndoManager()
    try view.performAndWait {
      try view.find("Item", "name", "1").setValue("typed", forKey: "note")
      view.processPendingChanges()
    }
    try devices.b.edit { context in
      try context.find("Item", "name", "1").setValue(4, forKey: "count")
      try context.find("Item", "name", "2").setValue("came", forKey: "note")
    }
    try await devices.settle()
    devices.cloud.now += 10_000
    try view.performAndWait {
      view.undo()
      if view.hasChanges { try view.save() }
    }
    try await devices.settleWholly()
    try devices.expect("Item", "note", ["came", "nil", "nil"])
    try devices.expect("Item", "count", ["0", "0", "4"])
  }

  /// Another process of the same application, without an engine, writes at every step.
  @Test(
    arguments: Sample.of([EngineStep.recovered, .scanned, .frozen, .answered, .intended, .applied]))
  func anotherProcessWritesAtAnyStep(_ step: EngineStep) async throws {
    let devices = try await Self.filled()
    let (a, b) = (devices.a, devices.b)
    let other = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
    let url = b.folder.appendingPathComponent("store.sqlite")
    try other.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: SimulatedDevice.options)
    try a.edit { context in
      try context.find("Item", "name", "1").setValue("of a", forKey: "note")
      try context.delete(context.find("Item", "name", "3"))
      context.insert("Item", ["name": "twin", "note": "of a", "count": 1])
    }
    try await a.sync()
    try b.edit { $0.insert("Item", ["name": "of b"]) }
    let isDone = Mutex(false)
    b.onStep = { [unowned b] now in
      guard now == step, !isDone.withLock({ $0 }) else { return }
      isDone.withLock { $0 = true }
      b.cloud.now += 10_000
      let context = other.makeContext()
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.performAndWait {
        for item in try context.all("Item") where item.value(forKey: "name") as? String != "twin" {
          item.setValue((item.value(forKey: "count") as? Int ?? 0) + 1, forKey: "count")
        }
        try context.find("Item", "name", "2").setValue("of the other", forKey: "note")
        let list = try context.find("List", "name", "l")
        let items = try context.all("Item")
        if !items.contains(where: { $0.value(forKey: "name") as? String == "twin" }) {
          context.insert("Item", ["name": "twin", "count": 1, "list": list])
        }
        try context.save()
      }
    }
    try await devices.settleWholly()
    let pictures = try devices.phones.map(Self.picture)
    #expect(pictures[0] == pictures[1])
    #expect(pictures[0].contains { $0.hasPrefix("1 of a 1 l") }, "\(pictures[0])")
    #expect(pictures[0].contains { $0.hasPrefix("2 of the other 1 l") }, "\(pictures[0])")
    #expect(pictures[0].filter { $0.hasPrefix("twin") }.count == 1)
    #expect(!pictures[0].contains { $0.hasPrefix("3 ") })
  }

  /// What was done offline with a key that may write no longer: it is taken back and told, and can be
  /// done again once it may.
  @Test func aKeyThatIsCutBackAndGivenAgain() async throws {
    let devices = try await Self.filled()
    let (a, b) = (devices.a, devices.b)
    b.line.isOffline = true
    try b.edit { context in
      try context.find("Item", "name", "1").setValue("of b", forKey: "note")
      try context.delete(context.find("List", "name", "l"))
      let list = context.insert("List", ["name": "new"])
      context.insert("Item", ["name": "in new", "list": list])
    }
    b.line.readOnly = ["List"]
    b.line.isOffline = false
    try await devices.settleWholly()
    try devices.expect("List", "name", ["l"])
    let pictures = try devices.phones.map(Self.picture)
    #expect(pictures[0] == pictures[1])
    #expect(b.engine.status.losses.contains { $0.entity == "List" })
    b.line.readOnly = []
    try b.edit { context in
      let list = context.insert("List", ["name": "again"])
      context.insert("Item", ["name": "in again", "list": list])
    }
    try await devices.settleWholly()
    try devices.expect("List", "name", ["again", "l"])
    #expect(try a.read { try $0.find("List", "name", "again").names("items") } == ["in again"])
  }
}
