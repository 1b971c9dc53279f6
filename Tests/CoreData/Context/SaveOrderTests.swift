import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct SaveOrderTests {
  @Test func aSaveGoesInApplesOrder() throws {
    let stack = try TestStack.company(.sqlite)
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      context.processPendingChanges()
      var order: [String] = []
      employee.onWillSave = { _ in order.append("willSave") }
      employee.onDidSave = { _ in order.append("didSave") }
      employee.rule = { _, key in if key == "name" { order.append("validation") } }
      let box = UncheckedBox { (name: String) in order.append(name) }
      let names: [(Notification.Name, String)] = [
        (.NSManagedObjectContextWillSave, "WillSave"), (.NSManagedObjectContextDidSave, "DidSave"),
        (.NSManagedObjectContextDidSaveObjectIDs, "DidSaveObjectIDs"),
      ]
      let tokens = names.map { name, text in
        NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { _ in
          box.value(text)
        }
      }
      defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
      try context.save()
      #expect(
        order == ["willSave", "WillSave", "validation", "didSave", "DidSave", "DidSaveObjectIDs"])
    }
  }

  @Test func savedObjectsStayWhileTheContextIsDirty() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      do {
        _ = try context.hire("Ann")
        _ = try context.hire("Bea")
        #expect(context.registeredObjects.count == 2)
      }
      try context.save()
    }
    try stack.withContext { context in
      let held = try context.employees()
      held[0].name = "x"
      #expect(context.registeredObjects.count == 2)
    }
  }

  @Test(arguments: StoreKind.all)
  func metadataAreThereAfterASaveOfNothing(_ kind: StoreKind) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { context in
      let store = stack.coordinator.persistentStores[0]
      var metadata = stack.coordinator.metadata(for: store)
      metadata["app"] = "written"
      stack.coordinator.setMetadata(metadata, for: store)
      try context.save()
      #expect(stack.coordinator.metadata(for: store)["app"] as? String == "written")
      guard kind == .sqlite, let url = store.url else { return }
      let read = try NSPersistentStoreCoordinator.metadataForPersistentStore(
        ofType: NSSQLiteStoreType, at: url)
      #expect(read["app"] as? String == "written")
    }
  }

  @Test func aContextOnTheMainQueueTellsAtTheEndOfItsEvent() async throws {
    let stack = try TestStack.company()
    let summary = try await Self.firstEvent(stack)
    #expect(summary == "inserted 2")
  }

  @MainActor
  private static func firstEvent(_ stack: TestStack) async throws -> String {
    let context = NSManagedObjectContext(.mainQueue)
    context.persistentStoreCoordinator = stack.coordinator
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { continuation.yield($0.summary) }
    defer { NotificationCenter.default.removeObserver(token) }
    _ = try context.hire("Ann")
    _ = try context.hire("Bea")
    for await summary in stream { return summary }
    return ""
  }

  @Test func waitingInsideOfAContextCanBeNestedInAnyOrder() throws {
    let stack = try TestStack.company()
    let first = stack.makeContext()
    let second = stack.makeContext()
    let path = first.performAndWait {
      second.performAndWait { first.performAndWait { second.performAndWait { "reached" } } }
    }
    #expect(path == "reached")
  }

  @Test func objectsOfTwoContextsCannotBeRelated() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let stack = try TestStack(.inMemory)
        let other = stack.makeContext()
        other.performAndWait {
          let foreign = other.makeItem("foreign")
          stack.withContext { context in context.makeItem("own").parent = foreign }
        }
      })
    let text = result.complaint
    #expect(
      text.contains(
        "Illegal attempt to establish a relationship 'parent' between objects in different contexts"
      ))
  }

  @Test func valuesOfAwakeFromInsertAreNotUndone() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let manager = UndoManager()
      context.undoManager = manager
      let employee = try context.hire("Ann")
      context.undo()
      context.redo()
      #expect(employee.value(forKey: "nickname") as? String == "new")
      #expect(employee.name == "Ann")
    }
  }
}
