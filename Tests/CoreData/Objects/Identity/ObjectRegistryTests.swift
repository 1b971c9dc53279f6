import CoreDataSupport
import Dispatch
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Objects point at their registry without counting it: it must be there for as long as one of them is.
@Suite struct ObjectRegistryTests {
  private func context(_ stack: TestStack) -> NSManagedObjectContext {
    let context = stack.coordinator.makeContext()
    return context
  }

  @Test(arguments: [true, false])
  func aRegistryLivesAsLongAsAnObjectThatOutlivesTheContext(areSaved: Bool) throws {
    let stack = try TestStack.company()
    weak var registry: ObjectRegistry?
    nonisolated(unsafe) var survivors: [NSManagedObject] = []
    do {
      let context = context(stack)
      registry = context.registry
      try context.performAndWait {
        survivors = try ["Ann", "Bob", "Cid"].map { try context.hire($0) }
        if areSaved { try context.save() }
      }
    }
    #expect(registry != nil)
    #expect(survivors.allSatisfy { $0.managedObjectContext == nil })
    survivors.removeFirst()
    #expect(registry != nil)
    // The last ones go on another thread.
    DispatchQueue.global().sync { survivors = [] }
    #expect(registry == nil)
  }

  @Test func anObjectOfAContextThatIsGoneEntersAnotherAndLeavesTheOldRegistry() throws {
    let stack = try TestStack.company()
    weak var registry: ObjectRegistry?
    var orphan: Employee?
    do {
      let context = context(stack)
      registry = context.registry
      try context.performAndWait { orphan = try context.hire("Ann") }
    }
    let object = try #require(orphan)
    let context = context(stack)
    context.performAndWait {
      context.insert(object)
      #expect(registry == nil)
      #expect(object.registry === context.registry)
      #expect(context.registeredObject(for: object.objectID) === object)
      object.name = "Bea"
      context.reset()
      #expect(context.registeredObjects.isEmpty)
      #expect(object.registry == nil)
    }
  }

  @Test func twoRowsOfOneObjectAreOneObject() throws {
    let stack = try TestStack.company(.sqlite)
    try stack.withContext { context in
      _ = try ["Ann", "Bob"].map { try context.hire($0) }
      try context.save()
    }
    let context = context(stack)
    try context.performAndWait {
      let request = NSFetchRequest<Employee>(entityName: "Employee")
      let entity = try request.entity(in: stack.coordinator.managedObjectModel)
      let plan = FetchPlan(layout: entity.layout)
      let rows = try #require(try context.source?.rows(plan, stores: nil))
      let objects = context.objects(for: rows + rows.reversed())
      #expect(objects.count == 4)
      #expect(objects[0] === objects[3] && objects[1] === objects[2])
      #expect(objects[0] !== objects[1])
      #expect(context.registeredObjects.count == 2)
      #expect(rows.allSatisfy { $0.isSealed })
    }
  }
}
