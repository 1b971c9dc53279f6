import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Faults, which a connection reads with what it read the last one with.
@Suite struct RowByKeyTests {
  @Test(arguments: [StoreKind.sqlite, .inMemory])
  func objectsOfSeveralEntitiesTakeTurns(kind: StoreKind) throws {
    let stack = try StoreStack(kind)
    let people = try (0..<5).flatMap {
      try stack.insert(stack.makeRow("Person", ["age": .integer($0)]))
    }
    let employees = try (0..<5).flatMap {
      try stack.insert(stack.makeRow("Employee", ["salary": .integer($0)]))
    }
    let tasks = try employees.flatMap {
      try stack.insert(stack.makeRow("Task", ["owner": .identity($0)]))
    }
    for number in (0..<5) {
      for identity in [people[number], employees[number], tasks[number], people[4 - number]] {
        let row = try #require(try stack.store.row(identity.packed.key, of: identity.layout))
        #expect(row.identity == identity)
        let same = try #require(try stack.store.row(of: identity))
        #expect(same.identity == identity && same.layout === identity.layout)
      }
    }
    #expect(try stack.store.row(4711, of: stack.layout("Task")) == nil)
    #expect(try stack.store.row(tasks[0].packed.key, of: stack.layout("Task")) != nil)
  }

  /// A row of a tree is known by the entity that its object has, whoever reads it first.
  @Test func aFaultOfASubentityHasItsOwnRow() throws {
    let stack = try StoreStack(.sqlite)
    let employee = try stack.insert(stack.makeRow("Employee", ["salary": .integer(7)]))[0]
    let context = stack.coordinator.makeContext()
    context.performAndWait {
      let object = context.object(with: employee)
      #expect(object.value(forKey: "salary") as? Int == 7)
      #expect(object.entity.name == "Employee")
    }
  }

  /// An old generation is read by a connection of its own, and its rows are nobody else's.
  @Test(arguments: ["WAL", "DELETE"])
  func generationsAndPlainReadsTakeTurns(journal: String) throws {
    let stack = try TestStack(
      .sqlite, options: [NSSQLitePragmasOption: ["journal_mode": journal]])
    let writer = stack.makeContext()
    let item = try writer.performAndWait {
      let item = writer.makeItem("old")
      try writer.save()
      return item.objectID
    }
    let pinned = stack.makeContext()
    try pinned.performAndWait {
      try pinned.setQueryGenerationFrom(.current)
      #expect(pinned.object(with: item).value(forKey: "title") as? String == "old")
    }
    for number in 0..<3 {
      try writer.performAndWait {
        writer.object(with: item).setValue("new \(number)", forKey: "title")
        try writer.save()
        writer.reset()
      }
      pinned.performAndWait {
        pinned.refreshAllObjects()
        let title = pinned.object(with: item).value(forKey: "title") as? String
        #expect(title == (journal == "WAL" ? "old" : "new \(number)"))
      }
      let reader = stack.makeContext()
      reader.performAndWait {
        let title = reader.object(with: item).value(forKey: "title") as? String
        #expect(title == "new \(number)")
      }
    }
  }
}
