import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// What every store must do with rows: fetching.
@Suite struct StoreConformanceReadingTests {
  private func makePeople(_ kind: StoreKind) throws -> StoreStack {
    let stack = try StoreStack(kind)
    let rows: [(String, Int64)] = [("Berta", 40), ("anna", 30), ("Clara", 20), ("Dora", 30)]
    for (name, age) in rows {
      try stack.insert(
        stack.makeRow("Person", ["name": .text(name), "age": .integer(age)]))
    }
    return stack
  }

  @Test(arguments: StoreKind.all)
  func aFetchWithoutPredicateGivesEveryRow(kind: StoreKind) throws {
    let stack = try makePeople(kind)
    #expect(try stack.store.rows(stack.plan("Person")).count == 4)
    #expect(try stack.store.count(stack.plan("Person")) == 4)
    #expect(try stack.store.count(stack.plan("Tag")) == 0)
  }

  @Test(arguments: StoreKind.all)
  func rowsComeInTheOrderOfTheSortDescriptors(kind: StoreKind) throws {
    let stack = try makePeople(kind)
    let plan = try stack.plan("Person", sortedBy: ["age", "-name"])
    #expect(try stack.names(plan) == ["Clara", "anna", "Dora", "Berta"])
  }

  @Test(arguments: StoreKind.all)
  func nilComesFirstWhenAscendingAndEqualRowsByTheirKeys(kind: StoreKind) throws {
    let stack = try makePeople(kind)
    try stack.insert(stack.makeRow("Person", ["name": .text("Emma")]))
    #expect(
      try stack.names(stack.plan("Person", sortedBy: ["age"]))
        == ["Emma", "Clara", "anna", "Dora", "Berta"])
    #expect(
      try stack.names(stack.plan("Person", sortedBy: ["-age"]))
        == ["Berta", "anna", "Dora", "Clara", "Emma"])
  }

  @Test(arguments: StoreKind.all)
  func sortDescriptorsMayFollowToOneRelationshipsAndIgnoreCase(kind: StoreKind) throws {
    let stack = try makePeople(kind)
    let rows = try stack.store.rows(stack.plan("Person", sortedBy: ["name"]))
    for (name, boss) in [("x", rows[2]), ("y", rows[0])] {
      try stack.insert(
        stack.makeRow("Person", ["name": .text(name), "boss": .identity(boss.identity)]))
    }
    let plan = try stack.plan("Person", "boss != nil", sortedBy: ["boss.name"])
    #expect(try stack.names(plan) == ["y", "x"])
    var folded = try stack.plan("Person", "boss == nil")
    folded.sortDescriptors = [
      NSSortDescriptor(
        key: "name", ascending: true, selectorName: "caseInsensitiveCompare:")
    ]
    #expect(try stack.names(folded) == ["anna", "Berta", "Clara", "Dora"])
  }

  @Test(arguments: StoreKind.all.filter { !$0.evaluatesItself })
  func anUnknownKeyIsAnErrorOfTheFetch(kind: StoreKind) throws {
    let stack = try makePeople(kind)
    #expect(throws: NSError.self) {
      try stack.store.rows(stack.plan("Person", "nothing == 1"))
    }
    #expect(throws: NSError.self) {
      try stack.store.rows(stack.plan("Person", sortedBy: ["nothing"]))
    }
  }

  @Test(arguments: StoreKind.all)
  func limitAndOffsetCutAWindowFromTheSortedRows(kind: StoreKind) throws {
    let stack = try makePeople(kind)
    var plan = try stack.plan("Person", sortedBy: ["name"])
    plan.offset = 1
    plan.limit = 2
    #expect(try stack.names(plan) == ["Clara", "Dora"])
    #expect(try stack.store.count(plan) == 2)
    plan.offset = 3
    #expect(try stack.store.count(plan) == 1)
    plan.offset = 9
    #expect(try stack.store.rows(plan).isEmpty)
    #expect(try stack.store.count(plan) == 0)
  }

  @Test(arguments: StoreKind.all)
  func identitiesComeInTheOrderOfTheRows(kind: StoreKind) throws {
    let stack = try makePeople(kind)
    let plan = try stack.plan("Person", sortedBy: ["-name"])
    let rows = try stack.store.rows(plan)
    #expect(try stack.store.identities(plan) == ContiguousArray(rows.map(\.identity.packed)))
  }

  @Test(arguments: StoreKind.all)
  func predicatesSelectRows(kind: StoreKind) throws {
    let stack = try makePeople(kind)
    func names(_ format: String, _ arguments: Any...) throws -> [String] {
      try stack.names(stack.plan("Person", format, arguments, sortedBy: ["name"]))
    }
    #expect(try names("age == 30") == ["Dora", "anna"])
    #expect(try names("age > 20 AND name != %@", "Dora") == ["Berta", "anna"])
    #expect(try names("name BEGINSWITH[c] 'A'") == ["anna"])
    #expect(try names("name CONTAINS 'ar'") == ["Clara"])
    #expect(try names("NOT (age == 30 OR age == 40)") == ["Clara"])
    #expect(try names("age IN {20, 40}") == ["Berta", "Clara"])
  }

  @Test(arguments: StoreKind.all)
  func comparisonsWithNilFollowOneRule(kind: StoreKind) throws {
    let stack = try makePeople(kind)
    try stack.insert(stack.makeRow("Person", ["name": .text("Emma")]))
    func names(_ format: String) throws -> [String] {
      try stack.names(stack.plan("Person", format, sortedBy: ["name"]))
    }
    #expect(try names("age == nil") == ["Emma"])
    #expect(try names("age != nil AND age < 30") == ["Clara"])
    #expect(try names("age != 30") == ["Berta", "Clara"])
  }

  @Test(arguments: StoreKind.all)
  func predicatesFollowToOneRelationships(kind: StoreKind) throws {
    let stack = try makePeople(kind)
    let boss = try stack.store.rows(stack.plan("Person", "name == 'Berta'"))[0].identity
    try stack.insert(
      stack.makeRow("Person", ["name": .text("Finn"), "boss": .identity(boss)]))
    #expect(try stack.names(stack.plan("Person", "boss.name == 'Berta'")) == ["Finn"])
    #expect(try stack.names(stack.plan("Person", "boss == %@", [boss])) == ["Finn"])
    #expect(try stack.names(stack.plan("Person", "SELF == %@", [boss])) == ["Berta"])
    #expect(try stack.store.count(stack.plan("Person", "boss == nil")) == 4)
  }

  @Test(arguments: StoreKind.all)
  func subentitiesCountUnlessTheyAreLeftOut(kind: StoreKind) throws {
    let stack = try makePeople(kind)
    try stack.insert(
      stack.makeRow("Employee", ["name": .text("Gina"), "salary": .integer(9)]))
    var plan = try stack.plan("Person")
    #expect(try stack.store.count(plan) == 5)
    plan.includesSubentities = false
    #expect(try stack.store.count(plan) == 4)
    let employees = try stack.store.rows(stack.plan("Employee"))
    #expect(employees.map(\.layout.entity.name) == ["Employee"])
    #expect(try stack.values(stack.plan("Employee"), of: "salary") == [.integer(9)])
  }

  @Test(arguments: StoreKind.all)
  func rowsAreSharedWhileSomebodyHoldsThem(kind: StoreKind) throws {
    let stack = try makePeople(kind)
    let plan = try stack.plan("Person", "name == 'Dora'")
    let row = try stack.store.rows(plan)[0]
    #expect(row.isSealed)
    #expect(try stack.store.rows(plan)[0] === row)
    #expect(row.identity.cachedRow === row)
  }

  @Test(arguments: StoreKind.all)
  func theRowOfAnObjectThatIsGoneIsNil(kind: StoreKind) throws {
    let stack = try makePeople(kind)
    let gone = stack.store.identities.identity(try stack.layout("Person"), key: 4711)
    let row = try stack.store.rows(stack.plan("Person", "name == 'Dora'"))[0]
    #expect(try stack.store.row(of: gone) == nil)
    #expect(try stack.store.row(of: row.identity)?.version == 1)
    let found = try stack.store.rows(of: [gone, row.identity])
    #expect(found.map(\.identity) == [row.identity])
  }
}
