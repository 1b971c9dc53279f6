import CoreData
import CoreDataSupport
import Synchronization
import Testing
import TestSupport

@testable import CoreDataSync

/// What an application has open while something comes: contexts with every merge policy, lists of
/// fetched results, undo managers, pinned generations, requests on the store.
@Suite struct ViewsTests {
  private static let model: NSManagedObjectModel = {
    let list = ModelPart.entity("List", [ModelPart.attribute("name")])
    let item = ModelPart.entity(
      "Item",
      [
        ModelPart.attribute("name"), ModelPart.attribute("note"), ModelPart.counter("count"),
        ModelPart.attribute("rank", .integer64AttributeType, default: 0),
      ])
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
      for number in 1...4 {
        context.insert("Item", ["name": "\(number)", "rank": number, "list": list])
      }
    }
    try await devices.settle()
    return devices
  }

  private static func view(
    _ phone: Phone, merges: Bool = true, policy: NSMergePolicy? = nil
  ) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = phone.coordinator
    context.automaticallyMergesChangesFromParent = merges
    if let policy { context.mergePolicy = policy }
    return context
  }

  enum Policy: String, CaseIterable {
    case error, store, object, overwrite, rollback
    var policy: NSMergePolicy {
      switch self {
      case .error: .error
      case .store: .mergeByPropertyStoreTrump
      case .object: .mergeByPropertyObjectTrump
      case .overwrite: .overwrite
      case .rollback: .rollback
      }
    }
  }

  /// What was typed in a context before something came is saved after it, by each merge policy: what
  /// the store has after the save is what all devices have.
  @Test(
    arguments: Sample.of(
      Policy.allCases, [[false, false], [false, true], [true, false], [true, true]]))
  func aSaveAfterAPullIsWhatAllHave(_ policy: Policy, kind: [Bool]) async throws {
    let (merges, isSame) = (kind[0], kind[1])
    let devices = try await Self.filled()
    let (a, b) = (devices.a, devices.b)
    let view = Self.view(a, merges: merges, policy: policy.policy)
    let object = try view.performAndWait {
      let one = try view.find("Item", "name", "1")
      one.setValue("typed", forKey: "note")
      return one
    }
    try b.edit { context in
      try context.find("Item", "name", "1").setValue("came", forKey: isSame ? "note" : "name")
    }
    try await devices.settle()
    devices.cloud.now += 10_000
    let isSaved = view.performAndWait {
      do {
        try view.save()
        return true
      } catch {
        view.rollback()
        return false
      }
    }
    if policy == .error && !merges { #expect(!isSaved, "a conflict is not noticed") }
    let stored = try a.read { context in
      let object = try context.existingObject(with: object.objectID)
      return ["name", "note"].map { object.value(forKey: $0) as? String ?? "nil" }
    }
    switch policy {
    case .object, .overwrite: #expect(stored[1] == "typed")
    case .store where !merges && isSame, .rollback where !merges: #expect(stored[1] != "typed")
    default: break
    }
    try await devices.settleWholly()
    for phone in devices.phones {
      #expect(try phone.values("Item", "note").contains(stored[1]), "\(policy) \(stored)")
      #expect(try phone.values("Item", "name").contains(stored[0]), "\(policy) \(stored)")
    }
    try devices.expect("Item", "note", try a.values("Item", "note"))
    try devices.expect("Item", "name", try a.values("Item", "name"))
  }

  /// A counter that a context counted before something came: both increments count.
  @Test(arguments: Sample.of(Policy.allCases))
  func aCountAfterAPullIsAdded(_ policy: Policy) async throws {
    let devices = try await Self.filled()
    let (a, b) = (devices.a, devices.b)
    let view = Self.view(a, policy: policy.policy)
    try view.performAndWait { () throws in
      _ = try view.find("Item", "name", "1").value(forKey: "count")
    }
    try b.edit { try $0.find("Item", "name", "1").setValue(5, forKey: "count") }
    try await devices.settle()
    try view.performAndWait {
      let one = try view.find("Item", "name", "1")
      one.setValue((one.value(forKey: "count") as? Int ?? 0) + 1, forKey: "count")
      try view.save()
    }
    try await devices.settleWholly()
    try devices.expect("Item", "count", ["0", "0", "0", "6"])
  }

  /// Rollback, reset and refresh at each step of a cycle, of a context with changes: nothing of it is
  /// sent, and everything of the others comes.
  @Test(arguments: Sample.of(["rollback", "reset", "refresh", "refreshMerging"]))
  func whatIsTakenBackMidwayIsNotSent(_ way: String) async throws {
    let devices = try await Self.filled()
    let (a, b) = (devices.a, devices.b)
    let view = Self.view(a)
    try b.edit { context in
      try context.find("Item", "name", "2").setValue("came", forKey: "note")
      try context.delete(context.find("Item", "name", "3"))
      context.insert("Item", ["name": "5"])
    }
    try await b.sync()
    a.onStep = { _ in
      try view.performAndWait {
        let one = try view.find("Item", "name", "1")
        one.setValue("typed", forKey: "note")
        view.insert("Item", ["name": "typed"])
        view.processPendingChanges()
        switch way {
        case "rollback": view.rollback()
        case "reset": view.reset()
        case "refresh":
          for object in view.insertedObjects { view.delete(object) }
          view.refresh(one, mergeChanges: false)
        default:
          for object in view.insertedObjects { view.delete(object) }
          view.refreshAllObjects()
          view.rollback()
        }
      }
    }
    try await a.sync()
    a.onStep = nil
    try await devices.settleWholly()
    try devices.expect("Item", "name", ["1", "2", "4", "5"])
    try devices.expect("Item", "note", ["came", "nil", "nil", "nil"])
    try view.performAndWait { () throws in
      view.rollback()
      #expect(try view.all("Item").count == 4)
      #expect(try view.find("Item", "name", "2").value(forKey: "note") as? String == "came")
    }
  }

  /// What a list of fetched results tells of a pull leads from the rows before to the rows after it,
  /// with sections.
  @Test(arguments: Sample.of(0..<4))
  func theChangesOfAListLeadToWhatCame(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed &+ 77)
    let devices = try await Self.filled()
    let (a, b) = (devices.a, devices.b)
    let view = Self.view(a)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.sortDescriptors = ["rank", "name"].map { NSSortDescriptor(key: $0, ascending: true) }
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: view, sectionNameKeyPath: "rank", cacheName: nil)
    let mirror = Mirror()
    try view.performAndWait {
      controller.delegate = mirror
      try controller.performFetch()
      mirror.read(controller)
    }
    for round in 0..<6 {
      try b.edit { context in
        let items = try context.all("Item")
        for item in items {
          switch Int.random(in: 0..<6, using: &random) {
          case 0: context.delete(item)
          case 1: item.setValue(Int.random(in: 1...4, using: &random), forKey: "rank")
          case 2: item.setValue("note \(round)", forKey: "note")
          default: break
          }
        }
        for number in 0..<Int.random(in: 0...3, using: &random) {
          context.insert(
            "Item",
            [
              "name": "\(round).\(number)", "rank": Int.random(in: 1...5, using: &random),
            ])
        }
      }
      try await devices.settle()
      view.performAndWait {
        #expect(mirror.rows == Mirror.rows(of: controller), "round \(round)")
        #expect(mirror.faults.isEmpty, "\(mirror.faults)")
      }
      let shown = try b.values("Item", "name")
      view.performAndWait { #expect(mirror.rows.flatMap { $0 }.sorted() == shown) }
    }
  }

  /// A context that reads a generation of the store sees nothing of a pull until it is told to, and
  /// then everything.
  @Test func aPinnedGenerationStaysAsItIs() async throws {
    let devices = try await Self.filled()
    let view = Self.view(devices.a, merges: false)
    try view.performAndWait { () throws in
      try view.setQueryGenerationFrom(.current)
      #expect(try view.all("Item").count == 4)
    }
    try devices.b.edit { context in
      for item in try context.all("Item") { item.setValue("came", forKey: "note") }
      context.insert("Item", ["name": "5"])
      try context.delete(context.find("Item", "name", "1"))
    }
    try await devices.settleWholly()
    try view.performAndWait { () throws in
      view.refreshAllObjects()
      let items = try view.all("Item")
      #expect(items.count == 4)
      #expect(items.allSatisfy { $0.value(forKey: "note") == nil })
      try view.setQueryGenerationFrom(.current)
      view.refreshAllObjects()
      #expect(
        try view.all("Item").compactMap { $0.value(forKey: "name") as? String }.sorted() == [
          "2", "3", "4", "5",
        ])
    }
  }

  /// Undo after a sync takes back the application's own edit alone, and redo does it again, for
  /// attributes, places and members.
  @Test(arguments: Sample.of(["note", "rank", "list", "order", "deletion"]))
  func undoAndRedoAfterASync(_ what: String) async throws {
    let devices = try await Self.filled()
    let (a, b) = (devices.a, devices.b)
    let view = Self.view(a, policy: .mergeByPropertyObjectTrump)
    view.undoManager = UndoManager()
    func step(_ body: (NSManagedObjectContext) throws -> Void) throws {
      devices.cloud.now += 10_000
      try view.performAndWait {
        try body(view)
        view.processPendingChanges()
        if view.hasChanges { try view.save() }
      }
    }
    try step { view in
      let one = try view.find("Item", "name", "1")
      switch what {
      case "note": one.setValue("typed", forKey: "note")
      case "rank": one.setValue(9, forKey: "rank")
      case "list": one.setValue(view.insert("List", ["name": "m"]), forKey: "list")
      case "order":
        try view.find("List", "name", "l").mutableOrderedSetValue(forKey: "items")
          .moveObjects(at: IndexSet(integer: 0), to: 3)
      default: view.delete(one)
      }
    }
    let done = try Self.picture(a)
    try await devices.settleWholly()
    try b.edit { try $0.find("Item", "name", "2").setValue("of b", forKey: "note") }
    try await devices.settleWholly()
    try step { $0.undoManager?.undo() }
    try await devices.settleWholly()
    let undone = try devices.phones.map(Self.picture)
    #expect(undone[0] == undone[1])
    #expect(undone[0].filter { $0.hasPrefix("1 ") } == ["1 - 1 l"], "\(undone[0])")
    #expect(undone[0].contains { $0.hasPrefix("2 of b") }, "\(undone[0])")
    if what == "order" { #expect(undone[0].last == "[\"1\", \"2\", \"3\", \"4\"]") }
    try step { $0.undoManager?.redo() }
    try await devices.settleWholly()
    let redone = try devices.phones.map(Self.picture)
    #expect(redone[0] == redone[1])
    #expect(
      redone[0].filter { !$0.hasPrefix("2 ") } == done.filter { !$0.hasPrefix("2 ") },
      "\(redone[0]) \(done)")
  }

  private static func picture(_ phone: Phone) throws -> [String] {
    try phone.read { (context) throws in
      try context.all("Item").map { item in
        """
        \(item.value(forKey: "name") ?? "-") \(item.value(forKey: "note") ?? "-") \
        \(item.value(forKey: "rank") ?? "-") \(item.value(forKeyPath: "list.name") ?? "-")
        """
      }.sorted() + context.all("List").map { "\($0.names("items"))" }.sorted()
    }
  }

  enum Request: String, CaseIterable { case update, delete, insert, upsert, deleteParent }

  /// A request on the store beside the same of the other device, at each step of a cycle.
  @Test(
    arguments: Sample.of(
      Request.allCases, [EngineStep.recovered, .scanned, .frozen, .answered, .intended, .applied]))
  func requestsAtEveryStep(_ kind: Request, _ step: EngineStep) async throws {
    let devices = try await Self.filled()
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in
      try context.find("Item", "name", "1").setValue("of a", forKey: "note")
      try context.delete(context.find("Item", "name", "4"))
      let list = try context.find("List", "name", "l")
      context.insert("Item", ["name": "new", "note": "of a", "list": list])
    }
    try await a.sync()
    try b.edit { try $0.find("Item", "name", "2").setValue("of b", forKey: "note") }
    let isDone = Mutex(false)
    b.onStep = { [unowned b] now in
      guard now == step, !isDone.withLock({ $0 }) else { return }
      isDone.withLock { $0 = true }
      try b.edit { context in
        switch kind {
        case .update:
          let request = NSBatchUpdateRequest(entityName: "Item")
          request.propertiesToUpdate = ["rank": 7]
          try context.execute(request)
        case .delete:
          let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Item")
          request.predicate = NSPredicate(format: "name == %@", "1")
          try context.execute(NSBatchDeleteRequest(fetchRequest: request))
        case .insert:
          try context.execute(
            NSBatchInsertRequest(entityName: "Item", objects: [["name": "batch", "rank": 3]]))
        case .upsert:
          context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
          try context.execute(
            NSBatchInsertRequest(
              entityName: "Item",
              objects: [["name": "new", "rank": 3], ["name": "3", "rank": 8]]))
        case .deleteParent:
          let request = NSFetchRequest<NSFetchRequestResult>(entityName: "List")
          try context.execute(NSBatchDeleteRequest(fetchRequest: request))
        }
      }
    }
    try await devices.settleWholly()
    #expect(isDone.withLock { $0 })
    let pictures = try devices.phones.map(Self.picture)
    #expect(pictures[0] == pictures[1])
    let names = try a.values("Item", "name")
    switch kind {
    case .update:
      #expect(names == ["1", "2", "3", "new"])
      #expect(try a.values("Item", "rank").filter { $0 == "7" }.count >= 3)
    case .delete: #expect(names == ["2", "3", "new"])
    case .insert: #expect(names == ["1", "2", "3", "batch", "new"])
    case .upsert:
      #expect(names == ["1", "2", "3", "new"])
      #expect(try a.read { try $0.find("Item", "name", "3").value(forKey: "rank") as? Int } == 8)
    case .deleteParent:
      #expect(try a.count("List") == 0)
      #expect(names.isEmpty, "a request cascades: \(names)")
    }
  }

  /// The tree of a context, its child and the child's child, of which each is saved at another time,
  /// with pulls between.
  @Test(arguments: [1, 2, 3])
  func whatThreeContextsHaveIsSavedBitByBit(depth: Int) async throws {
    let devices = try await Self.filled()
    let (a, b) = (devices.a, devices.b)
    var contexts = [Self.view(a, policy: .mergeByPropertyObjectTrump)]
    for _ in 1..<max(depth, 2) {
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = contexts[contexts.count - 1]
      child.automaticallyMergesChangesFromParent = true
      contexts.append(child)
    }
    let last = contexts[contexts.count - 1]
    try last.performAndWait {
      try last.find("Item", "name", "1").setValue("typed", forKey: "note")
      let list = try last.find("List", "name", "l")
      last.insert("Item", ["name": "child", "list": list])
      try last.delete(last.find("Item", "name", "4"))
    }
    for (index, context) in contexts.reversed().enumerated() {
      try b.edit { editor in
        try editor.find("Item", "name", "2").setValue("came \(index)", forKey: "note")
        editor.insert("Item", ["name": "b\(index)"])
      }
      try await devices.settle()
      devices.cloud.now += 10_000
      try context.performAndWait { try context.save() }
    }
    try await devices.settleWholly()
    let came = contexts.indices.map { "b\($0)" }
    try devices.expect("Item", "name", ["1", "2", "3"] + came + ["child"])
    let notes = ["came \(contexts.count - 1)"] + Array(repeating: "nil", count: came.count + 2)
    try devices.expect("Item", "note", notes + ["typed"])
    for phone in devices.phones {
      let row = try phone.read { try $0.find("List", "name", "l").names("items") }
      #expect(row == ["1", "2", "3", "child"])
    }
  }
}

/// The rows of a list, kept by what its controller tells.
///
/// Sendable: on the queue of the controller's context.
private final class Mirror: NSObject, NSFetchedResultsControllerDelegate, @unchecked Sendable {
  typealias Controller = NSFetchedResultsController<NSManagedObject>
  private(set) var rows: [[String]] = []
  private(set) var faults: [String] = []
  private var deletions: [IndexPath] = []
  private var insertions: [(IndexPath, String)] = []
  private var sectionDeletions = IndexSet()
  private var sectionInsertions = IndexSet()

  static func rows(of controller: Controller) -> [[String]] {
    (controller.sections ?? []).map { section in
      (section.objects ?? []).map {
        ($0 as? NSManagedObject)?.value(forKey: "name") as? String ?? "?"
      }
    }
  }

  func read(_ controller: Controller) { rows = Self.rows(of: controller) }

  func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
    (deletions, insertions) = ([], [])
    (sectionDeletions, sectionInsertions) = ([], [])
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    switch type {
    case .insert: sectionInsertions.insert(sectionIndex)
    case .delete: sectionDeletions.insert(sectionIndex)
    default: faults.append("a section is \(type)")
    }
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    let name = (anObject as? NSManagedObject)?.value(forKey: "name") as? String ?? "?"
    if [.delete, .move].contains(type), let indexPath { deletions.append(indexPath) }
    if [.insert, .move].contains(type), let newIndexPath {
      insertions.append((newIndexPath, name))
    }
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
    for path in deletions.sorted().reversed() {
      guard rows.indices.contains(path[0]), rows[path[0]].indices.contains(path[1]) else {
        faults.append("nothing to delete at \(path)")
        continue
      }
      rows[path[0]].remove(at: path[1])
    }
    for index in sectionDeletions.reversed() { rows.remove(at: index) }
    for index in sectionInsertions { rows.insert([], at: index) }
    for (path, name) in insertions.sorted(by: { $0.0 < $1.0 }) {
      guard rows.indices.contains(path[0]), path[1] <= rows[path[0]].count else {
        faults.append("no place for \(name) at \(path)")
        continue
      }
      rows[path[0]].insert(name, at: path[1])
    }
  }
}
