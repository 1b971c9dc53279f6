import Testing

@testable import CoreData
@testable import CoreDataSamples

@Suite struct ObservationTests {
  private func firsts<Element>(
    _ stream: AsyncStream<Element>, _ count: Int
  ) async -> [Element] {
    var all: [Element] = []
    for await element in stream {
      all.append(element)
      if all.count == count { break }
    }
    return all
  }

  @Test func anObjectsEditsArriveWithTheirKeys() async throws {
    let stack = try TestStack.company()
    let context = stack.makeContext()
    let stream = try await context.perform {
      let employee = try context.hire("Ann")
      context.processPendingChanges()
      let stream = employee.changes()
      employee.name = "Bea"
      employee.setValue(3, forKey: "salary")
      context.processPendingChanges()
      employee.mutableOrderedSetValue(forKey: "tasks").add(context.insert("Task"))
      context.processPendingChanges()
      try context.save()
      context.delete(employee)
      context.processPendingChanges()
      context.reset()
      return stream
    }
    let changes = await firsts(stream, .max)
    #expect(changes.map(\.kind) == [.updated, .updated, .deleted, .invalidated])
    #expect(changes.map(\.keys) == [["name", "salary"], ["tasks"], [], []])
  }

  @Test func onlyThePropertiesAskedForAreTold() async throws {
    let stack = try TestStack(.inMemory)
    let context = stack.makeContext()
    let stream = await context.perform {
      let item = context.makeItem("a")
      context.processPendingChanges()
      let stream = item.changes(of: \.title, \.parent)
      item.order = 5
      context.processPendingChanges()
      item.title = "b"
      context.processPendingChanges()
      item.parent = context.makeItem("parent")
      context.processPendingChanges()
      return stream
    }
    #expect(await firsts(stream, 2).map(\.keys) == [["title"], ["parent"]])
  }

  @Test func anObjectIsFollowedThroughItsSaveAndTheSavesOfOthers() async throws {
    let stack = try TestStack.company(.sqlite)
    let context = stack.makeContext()
    context.automaticallyMergesChangesFromParent = true
    let (stream, temporary, id) = try await context.perform {
      let employee = try context.hire("Ann")
      let temporary = employee.objectID
      context.processPendingChanges()
      let stream = employee.changes()
      try context.save()
      return (stream, temporary, employee.objectID)
    }
    let writer = stack.makeContext()
    try await writer.perform {
      try writer.existingObject(with: id).setValue("Bea", forKey: "name")
      try writer.save()
    }
    let changes = await firsts(stream, 1)
    #expect(changes.map(\.kind) == [.refreshed] && changes.first?.objectID == id)
    #expect(temporary != id)
  }

  @Test func aContextTellsEachEventOnce() async throws {
    let stack = try TestStack.company()
    let context = stack.makeContext()
    let stream = try await context.perform {
      let stream = context.objectChanges()
      let ann = try context.hire("Ann")
      _ = try context.hire("Bea")
      context.processPendingChanges()
      ann.name = "Cleo"
      context.processPendingChanges()
      return stream
    }
    let events = await firsts(stream, 2)
    #expect(events.map { $0.map(\.kind) } == [[.inserted, .inserted], [.updated]])
    #expect(events[1].first?.keys == ["name"])
  }

  @Test func cancellingEndsTheObservation() async throws {
    let stack = try TestStack.company()
    let context = stack.makeContext()
    let stream = context.performAndWait { context.objectChanges() }
    let task = Task {
      var count = 0
      for await _ in stream { count += 1 }
      return count
    }
    task.cancel()
    _ = await task.value
    context.performAndWait {
      context.processPendingChanges()
      #expect(context.liveObservers().isEmpty)
    }
  }

  @Test func theSequenceEndsWithItsContextAndKeepsNothingAlive() async throws {
    let stack = try TestStack.company()
    var context: NSManagedObjectContext? = stack.makeContext()
    weak let weakContext = context
    let streams = try context.map { context in
      try context.performAndWait { (context.objectChanges(), try context.hire("Ann").changes()) }
    }
    context = nil
    #expect(weakContext == nil)
    let (all, one) = try #require(streams)
    #expect(await firsts(all, .max).isEmpty)
    #expect(await firsts(one, .max).isEmpty)
  }
}
