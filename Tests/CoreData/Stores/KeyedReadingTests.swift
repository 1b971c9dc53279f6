import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Rows of an SQLite store by their keys, and what fetched rows keep of the objects that they lead to.
@Suite struct KeyedReadingTests {
  private func makePeople(_ count: Int) throws -> (StoreStack, [NSManagedObjectID]) {
    let stack = try StoreStack(.sqlite)
    let people = try (0..<count).flatMap { number in
      try stack.insert(stack.makeRow("Person", ["age": .integer(Int64(number))]))
    }
    return (stack, people)
  }

  /// One, part of a page, whole pages, and more than one of them.
  @Test(arguments: [1, 2, 5, 31, 32, 33, 100])
  func rowsComeOnceEachAndInTheOrderOfTheirKeys(count: Int) throws {
    let (stack, people) = try makePeople(count)
    let keys = people.map(\.packed.key)
    let asked = keys.reversed() + [4711] + keys
    let rows = try stack.store.rows(asked, of: stack.layout("Person"))
    #expect(rows.map(\.packed.key) == keys.sorted())
    let byIdentity = try stack.store.rows(of: people.reversed() + people)
    #expect(byIdentity.map(\.identity) == people)
  }

  @Test func rowsOfSubentitiesAreOfTheirOwnEntity() throws {
    let (stack, people) = try makePeople(3)
    let employees = try (0..<3).flatMap { number in
      try stack.insert(stack.makeRow("Employee", ["salary": .integer(number)]))
    }
    let keys = (people + employees).map(\.packed.key)
    let all = try stack.store.rows(keys, of: stack.layout("Person"))
    #expect(all.map(\.layout.entity.name).suffix(3) == ["Employee", "Employee", "Employee"])
    let some = try stack.store.rows(keys, of: stack.layout("Employee"))
    #expect(some.map(\.identity) == employees)
  }

  /// A task whose owner is an employee, read when nobody has an ID of either.
  private func makeTask(in stack: StoreStack) throws -> (key: Int64, owner: Int64) {
    let owner = try stack.insert(stack.makeRow("Employee", ["name": .text("Berta")]))[0]
    let task = try stack.insert(stack.makeRow("Task", ["owner": .identity(owner)]))[0]
    return (task.packed.key, owner.packed.key)
  }

  @Test func aRowLeadsToAnObjectWithoutHoldingItsID() throws {
    let stack = try StoreStack(.sqlite)
    let (key, owner) = try makeTask(in: stack)
    let employee = try stack.layout("Employee")
    let row = try #require(try stack.store.rows([key], of: stack.layout("Task")).first)
    let slot = try #require(row.layout.slot(of: "owner"))
    #expect(stack.store.identities.knownIdentity(employee, key: owner) == nil)
    #expect(row.permanentIdentity(slot)?.key == owner && row.holdsPlainValue(slot))
    #expect(row.permanentIdentity(slot)?.entityNumber == employee.number)
    let identity = stack.store.identities.identity(employee, key: owner)
    #expect(row[slot] == .identity(identity))
    #expect(identity.entity.name == "Employee")
  }

  @Test func aCopyIsTheSameAndMayLeadToAnother() throws {
    let stack = try StoreStack(.sqlite)
    let (key, owner) = try makeTask(in: stack)
    let row = try #require(try stack.store.rows([key], of: stack.layout("Task")).first)
    let slot = try #require(row.layout.slot(of: "owner"))
    let copy = row.copy()
    #expect(copy.differences(from: row).isEmpty)
    copy[slot] = .identity(
      stack.store.identities.identity(try stack.layout("Employee"), key: owner))
    #expect(copy.differences(from: row).isEmpty)
    let other = try stack.insert(stack.makeRow("Person"))[0]
    copy[slot] = .identity(other)
    #expect(copy.differences(from: row) == [slot] && copy.permanentIdentity(slot) == other.packed)
    copy[slot] = .null
    #expect(copy.differences(from: row) == [slot])
  }

  /// Its words mean something in the space of its store alone.
  @Test func aRowThatLeavesItsStoreTakesAlongWhatItLeadsTo() throws {
    let stack = try StoreStack(.sqlite)
    let (key, owner) = try makeTask(in: stack)
    let copy = try #require(try stack.store.rows([key], of: stack.layout("Task")).first).copy()
    let slot = try #require(copy.layout.slot(of: "owner"))
    copy.becomePermanent(.nextTemporary(copy.layout), in: nil)
    let identity = stack.store.identities.identity(try stack.layout("Employee"), key: owner)
    #expect(copy.space == nil && copy[slot] == .identity(identity))
  }
}
