import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// What every store must do with rows: relationships to many.
@Suite struct StoreConformanceRelationshipTests {
  @Test(arguments: StoreKind.all)
  func theMembersOfAOneToManyAreThoseThatPointToTheOwner(kind: StoreKind) throws {
    let stack = try StoreStack(kind)
    let boss = try stack.insert(stack.makeRow("Person", ["name": .text("boss")]))[0]
    let members = try stack.insert(
      stack.makeRow("Person", ["boss": .identity(boss)]),
      stack.makeRow("Employee", ["boss": .identity(boss)]))
    let reports = try stack.relationship("Person", "reports")
    #expect(Set(try stack.store.members(of: reports, owner: boss)) == Set(members))
    let row = try #require(try stack.store.row(of: members[0]))
    try stack.save(stack.update(row, ["boss": .null]))
    #expect(try stack.store.members(of: reports, owner: boss) == [members[1]])
    #expect(try stack.store.members(of: reports, owner: members[1]).isEmpty)
  }

  @Test(arguments: StoreKind.all)
  func aMemberHasItsOwnEntity(kind: StoreKind) throws {
    let stack = try StoreStack(kind)
    let boss = try stack.insert(stack.makeRow("Person"))[0]
    try stack.insert(stack.makeRow("Employee", ["boss": .identity(boss)]))
    let reports = try stack.relationship("Person", "reports")
    let members = try stack.store.members(of: reports, owner: boss)
    #expect(members.map(\.entity.name) == ["Employee"])
  }

  @Test(arguments: StoreKind.all)
  func manyToManyIsSeenFromBothSides(kind: StoreKind) throws {
    let stack = try StoreStack(kind)
    let person = try stack.insert(stack.makeRow("Person"))[0]
    let tags = try stack.insert(stack.makeRow("Tag"), stack.makeRow("Tag"))
    let relationship = try stack.relationship("Person", "tags")
    let inverse = try stack.relationship("Tag", "people")
    try stack.change(relationship, of: person, adding: tags)
    #expect(Set(try stack.store.members(of: relationship, owner: person)) == Set(tags))
    #expect(try stack.store.members(of: inverse, owner: tags[0]) == [person])
    try stack.change(relationship, of: person, removing: [tags[0]])
    #expect(try stack.store.members(of: relationship, owner: person) == [tags[1]])
    #expect(try stack.store.members(of: inverse, owner: tags[0]).isEmpty)
  }

  @Test(arguments: StoreKind.all)
  func deletingAnObjectTakesItOutOfManyToManyRelationships(kind: StoreKind) throws {
    let stack = try StoreStack(kind)
    let person = try stack.insert(stack.makeRow("Person"))[0]
    let tag = try stack.insert(stack.makeRow("Tag"))[0]
    let relationship = try stack.relationship("Person", "tags")
    try stack.change(relationship, of: person, adding: [tag])
    var changes = StoreChanges()
    changes.deleted = [
      StoreChanges.Deletion(identity: tag, snapshot: try stack.store.row(of: tag))
    ]
    try stack.save(changes)
    #expect(try stack.store.members(of: relationship, owner: person).isEmpty)
  }

  @Test(arguments: StoreKind.all)
  func anOrderedRelationshipKeepsItsOrder(kind: StoreKind) throws {
    let stack = try StoreStack(kind)
    let owner = try stack.insert(stack.makeRow("Person"))[0]
    let tasks = try stack.insert(
      stack.makeRow("Task", ["owner": .identity(owner)]),
      stack.makeRow("Task", ["owner": .identity(owner)]),
      stack.makeRow("Task", ["owner": .identity(owner)]))
    let relationship = try stack.relationship("Person", "tasks")
    let order = [tasks[2], tasks[0], tasks[1]]
    try stack.change(relationship, of: owner, adding: tasks, order: order)
    #expect(try stack.store.members(of: relationship, owner: owner) == order)
    let other = [tasks[1], tasks[2], tasks[0]]
    try stack.change(relationship, of: owner, order: other)
    #expect(try stack.store.members(of: relationship, owner: owner) == other)
  }

  @Test(arguments: StoreKind.all)
  func predicatesLookIntoToManyRelationships(kind: StoreKind) throws {
    let stack = try StoreStack(kind)
    let people = try stack.insert(
      stack.makeRow("Person", ["name": .text("a")]),
      stack.makeRow("Person", ["name": .text("b")]))
    let tag = try stack.insert(stack.makeRow("Tag", ["name": .text("red")]))[0]
    try stack.change(stack.relationship("Person", "tags"), of: people[1], adding: [tag])
    #expect(try stack.names(stack.plan("Person", "ANY tags.name == 'red'")) == ["b"])
    #expect(try stack.names(stack.plan("Person", "tags.@count == 0")) == ["a"])
  }
}
