import CoreData
import Synchronization
import Testing

@testable import CoreDataSamples

@Suite struct MergingTests {
  /// Two contexts on one store; the second merges by itself.
  @Test(arguments: StoreKind.all)
  func aSaveReachesAContextThatMergesByItself(_ kind: StoreKind) async throws {
    let stack = try TestStack(kind)
    let reader = stack.makeContext()
    let writer = stack.makeContext()
    let id = try await writer.perform {
      let item = writer.makeItem("a")
      try writer.save()
      return item.objectID
    }
    reader.automaticallyMergesChangesFromParent = true
    let held = try await reader.perform {
      UncheckedBox(try #require(try reader.existingObject(with: id) as? Item))
    }
    try await writer.perform {
      let item = try #require(try writer.existingObject(with: id) as? Item)
      item.title = "b"
      writer.makeItem("new", in: item)
      try writer.save()
    }
    // The merge was enqueued by the save, ahead of this.
    await reader.perform {
      #expect(held.value.title == "b")
      #expect(held.value.children.map(\.title) == ["new"])
      #expect(!reader.hasChanges)
    }
  }

  /// A context whose owner has much to do merges when it is asked to, and all at once.
  @Test(arguments: StoreKind.all)
  func savesWaitForAContextThatMergesOnRequest(_ kind: StoreKind) throws {
    let stack = try TestStack(kind)
    let reader = stack.makeContext()
    let writer = stack.makeContext()
    reader.automaticallyMergesChangesFromParent = true
    let requests = Mutex(0)
    reader.mergeOnRequest { requests.withLock { $0 += 1 } }
    let id = try writer.performAndWait {
      let item = writer.makeItem("a")
      try writer.save()
      return item.objectID
    }
    func title(_ title: String) throws {
      try writer.performAndWait {
        try #require(try writer.existingObject(with: id) as? Item).title = title
        try writer.save()
      }
    }
    #expect(requests.withLock { $0 } == 1)
    let held = try reader.performAndWait {
      reader.mergeWaitingSaves()
      return UncheckedBox(try #require(try reader.existingObject(with: id) as? Item))
    }
    for number in 1...3 { try title("\(number)") }
    #expect(requests.withLock { $0 } == 2, "the first of those that wait")
    try reader.performAndWait {
      #expect(held.value.title == "a")
      let merges = Mutex(0)
      let observer = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: reader, queue: nil
      ) { _ in merges.withLock { $0 += 1 } }
      defer { NotificationCenter.default.removeObserver(observer) }
      reader.mergeWaitingSaves()
      #expect(held.value.title == "3" && merges.withLock { $0 } == 1)
      reader.mergeWaitingSaves()
      #expect(merges.withLock { $0 } == 1)
      // What it saves itself is newer than what waits.
      try title("theirs")
      held.value.title = "mine"
      reader.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try reader.save()
      reader.mergeWaitingSaves()
      #expect(held.value.title == "mine")
    }
    #expect(requests.withLock { $0 } == 3)
  }

  /// Saves that come before the reader's queue gets to them are merged as one.
  @Test(arguments: StoreKind.all)
  func manySavesAreMergedAsTheLastOfThemLeftThings(_ kind: StoreKind) async throws {
    let stack = try TestStack(kind)
    let reader = stack.makeContext()
    let writer = stack.makeContext()
    let ids = try writer.performAndWait {
      let items = (0..<5).map { writer.makeItem("\($0)", order: Int64($0)) }
      try writer.save()
      return items.map(\.objectID)
    }
    reader.automaticallyMergesChangesFromParent = true
    let controller = try await reader.perform {
      let request = NSFetchRequest<Item>(entityName: "Item")
      request.sortDescriptors = [NSSortDescriptor(key: "order", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: reader, sectionNameKeyPath: nil,
        cacheName: nil)
      let follower = MergeFollower()
      controller.delegate = follower
      try controller.performFetch()
      return UncheckedBox((controller, follower, controller.fetchedObjects ?? []))
    }
    try reader.performAndWait {
      // The reader is busy meanwhile.
      try writer.performAndWait {
        func item(_ index: Int) throws -> Item {
          try #require(try writer.existingObject(with: ids[index]) as? Item)
        }
        let new = writer.makeItem("new", order: 9)
        let passing = writer.makeItem("passing", order: 8)
        try item(0).title = "once"
        try writer.save()
        try item(0).title = "twice"
        new.title = "newer"
        writer.delete(passing)
        writer.delete(try item(1))
        try writer.save()
        try item(2).order = 20
        try writer.save()
        writer.delete(try item(2))
        try writer.save()
      }
      #expect(controller.value.0.fetchedObjects?.count == 5)
    }
    await reader.perform {
      let (list, follower, _) = controller.value
      #expect(list.fetchedObjects?.map(\.title) == ["twice", "3", "4", "newer"])
      #expect(follower.batches == 1)
    }
  }

  /// What a context saves goes on top of saves that it has not merged yet.
  @Test(arguments: StoreKind.all)
  func aSaveOfOnesOwnIsNotTakenBackByAMergeThatWaited(_ kind: StoreKind) async throws {
    let stack = try TestStack(kind)
    let reader = stack.makeContext()
    let writer = stack.makeContext()
    let ids = try writer.performAndWait {
      let items = (0..<3).map { writer.makeItem("\($0)", order: Int64($0)) }
      try writer.save()
      return items.map(\.objectID)
    }
    reader.automaticallyMergesChangesFromParent = true
    let list = try await reader.perform {
      reader.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      let request = NSFetchRequest<Item>(entityName: "Item")
      request.sortDescriptors = [NSSortDescriptor(key: "order", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: reader, sectionNameKeyPath: nil,
        cacheName: nil)
      let follower = MergeFollower()
      controller.delegate = follower
      try controller.performFetch()
      let items = controller.fetchedObjects ?? []
      _ = items.map(\.title)
      // Another one saves while this one is busy.
      try writer.performAndWait {
        for (place, id) in ids.enumerated() {
          let item = try #require(try writer.existingObject(with: id) as? Item)
          item.order = Int64(30 - place)
        }
        try writer.save()
      }
      items[0].title = "mine"
      reader.delete(items[1])
      try reader.save()
      return UncheckedBox((controller, follower))
    }
    await reader.perform {
      let items = list.value.0.fetchedObjects ?? []
      #expect(items.map(\.title) == ["2", "mine"])
      #expect(items.map(\.order) == [28, 30])
      #expect(!reader.hasChanges)
    }
    let stored = try stack.withContext { context in
      try context.fetch(NSFetchRequest<Item>(entityName: "Item")).compactMap(\.title).sorted()
    }
    #expect(stored == ["2", "mine"])
  }

  private final class MergeFollower: NSObject, NSFetchedResultsControllerDelegate {
    var batches = 0
    func controllerDidChangeContent(
      _ controller: NSFetchedResultsController<NSFetchRequestResult>
    ) { batches += 1 }
  }

  @Test func anEditMadeHereStaysOnTopOfAMerge() throws {
    let stack = try TestStack(.inMemory)
    let reader = stack.makeContext()
    let id = try stack.withContext { context in
      let item = context.makeItem("a", order: 1)
      try context.save()
      return item.objectID
    }
    let held = try reader.performAndWait {
      let item = try #require(try reader.existingObject(with: id) as? Item)
      item.order = 9
      return UncheckedBox(item)
    }
    try stack.withContext { writer in
      let item = try #require(try writer.existingObject(with: id) as? Item)
      item.title = "b"
      let note = try Notifications.ofSave(writer)
      reader.performAndWait { reader.mergeChanges(fromContextDidSave: note) }
    }
    try reader.performAndWait {
      #expect(held.value.title == "b")
      #expect(held.value.order == 9)
      try reader.save()
    }
    try stack.withContext { context in
      let item = try #require(try context.existingObject(with: id) as? Item)
      #expect(item.title == "b" && item.order == 9)
    }
  }

  @Test(arguments: StoreKind.all, [0, 1, 2, 3, 4])
  func aConflictIsSettledByThePolicy(_ kind: StoreKind, policy: UInt) throws {
    let stack = try TestStack(kind)
    let id = try stack.withContext { context in
      let item = context.makeItem("base", order: 1)
      try context.save()
      return item.objectID
    }
    let late = stack.makeContext()
    try late.performAndWait {
      let mine = try #require(try late.existingObject(with: id) as? Item)
      mine.title = "mine"
      mine.setValue(Date(timeIntervalSinceReferenceDate: 5), forKey: "date")
      try stack.withContext { early in
        let theirs = try #require(try early.existingObject(with: id) as? Item)
        theirs.title = "theirs"
        theirs.order = 2
        try early.save()
      }
      late.mergePolicy = NSMergePolicy(merge: NSMergePolicyType(rawValue: policy)!)
      if policy == 0 {
        let error = try #require(throws: NSError.self) { try late.save() }
        #expect(error.code == 133020)
        #expect((error.userInfo["conflictList"] as? [NSMergeConflict])?.count == 1)
        return
      }
      try late.save()
    }
    try stack.withContext { context in
      let item = try #require(try context.existingObject(with: id) as? Item)
      let date = item.value(forKey: "date") as? Date
      switch policy {
      case 0, 4: #expect(item.title == "theirs" && item.order == 2 && date == nil)
      case 1: #expect(item.title == "theirs" && item.order == 2 && date != nil)
      case 2: #expect(item.title == "mine" && item.order == 2 && date != nil)
      default: #expect(item.title == "mine" && item.order == 1 && date != nil)
      }
    }
  }
}
