import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Random histories of saves, compared with a dictionary after every one.
@Suite struct StoreConformanceGeneratedTests {
  @Test(arguments: StoreKind.all, [1, 2, 3] as [UInt64])
  func randomHistoriesAgreeWithADictionary(kind: StoreKind, seed: UInt64) throws {
    var history = try History(kind, seed: seed)
    for step in 0..<60 {
      try history.save()
      try history.check("seed \(seed), step \(step)")
    }
  }
}

/// A store, and what it should hold.
private struct History {
  struct Person: Equatable {
    var name: String?
    var age: Int64
    var boss: Int64?
    var version: Int64
  }

  private let kind: StoreKind
  private let stack: StoreStack
  private var random: RandomSteps
  private var people: [Int64: Person] = [:]
  private var tags: [Int64: Set<Int64>] = [:]
  private var tagIdentities: [NSManagedObjectID] = []

  init(_ kind: StoreKind, seed: UInt64) throws {
    self.kind = kind
    stack = try StoreStack(kind)
    random = RandomSteps(seed: seed)
    for _ in 0..<5 { tagIdentities += try stack.insert(stack.makeRow("Tag")) }
  }

  private func identity(_ key: Int64) throws -> NSManagedObjectID {
    stack.store.identities.identity(try stack.layout("Person"), key: key)
  }

  private func value(_ boss: Int64?) throws -> Value {
    try boss.map { .identity(try identity($0)) } ?? .null
  }

  /// One save with a few insertions, updates, deletions and changes of members.
  mutating func save() throws {
    var changes = StoreChanges()
    let existing = people.keys.sorted()
    var touched: Set<Int64> = []
    for _ in 0..<random.next(4) { try insert(into: &changes) }
    for key in existing where random.next(4) == 0 {
      try update(key, in: &changes, bosses: existing)
      touched.insert(key)
    }
    for key in existing where !touched.contains(key) && random.next(8) == 0 {
      try delete(key, in: &changes)
    }
    for key in existing where people[key] != nil && random.next(4) == 0 {
      try relate(key, in: &changes)
    }
    try stack.save(changes)
  }

  private mutating func makePerson(version: Int64, bosses: [Int64]) -> Person {
    let names = ["a", "b", "c", "Ä", nil]
    return Person(
      name: names[random.next(names.count)], age: Int64(random.next(5)),
      boss: bosses.isEmpty || random.next(2) == 0 ? nil : bosses[random.next(bosses.count)],
      version: version)
  }

  private func values(_ person: Person) throws -> [String: Value] {
    [
      "name": person.name.map(Value.text) ?? .null, "age": .integer(person.age),
      "boss": try value(person.boss),
    ]
  }

  private mutating func insert(into changes: inout StoreChanges) throws {
    let person = makePerson(version: 1, bosses: [])
    let row = try stack.makeRow("Person", values(person))
    changes.inserted.append(row)
    people[row.identity.packed.key] = person
  }

  private mutating func update(
    _ key: Int64, in changes: inout StoreChanges, bosses: [Int64]
  ) throws {
    let snapshot = try #require(try stack.store.row(of: identity(key)))
    let person = makePerson(
      version: snapshot.version + 1, bosses: bosses.filter { people[$0] != nil })
    changes.updated += try stack.update(snapshot, values(person)).updated
    people[key] = person
  }

  /// Nullifies what points to the object, as a context does.
  private mutating func delete(_ key: Int64, in changes: inout StoreChanges) throws {
    guard !people.values.contains(where: { $0.boss == key }) else { return }
    let identity = try identity(key)
    changes.deleted.append(
      StoreChanges.Deletion(identity: identity, snapshot: try stack.store.row(of: identity)))
    people[key] = nil
    tags[key] = nil
  }

  private mutating func relate(_ key: Int64, in changes: inout StoreChanges) throws {
    let tag = tagIdentities[random.next(tagIdentities.count)]
    let isMember = tags[key]?.contains(tag.packed.key) ?? false
    changes.members.append(
      StoreChanges.MemberChange(
        relationship: try stack.relationship("Person", "tags"), owner: try identity(key),
        added: isMember ? [] : [tag], removed: isMember ? [tag] : [], order: nil))
    if isMember {
      tags[key]?.remove(tag.packed.key)
    } else {
      tags[key, default: []].insert(tag.packed.key)
    }
  }

  // MARK: - Comparing

  func check(_ place: String) throws {
    let rows = try stack.store.rows(stack.plan("Person"))
    #expect(Set(rows.map(\.identity.packed.key)) == Set(people.keys), "\(place)")
    for row in rows {
      var (found, expected) = (try person(row), people[row.identity.packed.key])
      // A class of its own counts versions as it likes.
      if kind.evaluatesItself {
        found.version = 0
        expected?.version = 0
      }
      #expect(found == expected, "\(place)")
    }
    try checkMembers(place)
    try checkQueries(place)
  }

  private func person(_ row: Row) throws -> Person {
    func value(_ name: String) throws -> Value {
      row[try #require(row.layout.slot(of: name))]
    }
    var person = Person(name: nil, age: 0, boss: nil, version: row.version)
    if case .text(let name) = try value("name") { person.name = name }
    if case .integer(let age) = try value("age") { person.age = age }
    if case .identity(let boss) = try value("boss") { person.boss = boss.packed.key }
    return person
  }

  private func checkMembers(_ place: String) throws {
    let tagged = try stack.relationship("Person", "tags")
    let reports = try stack.relationship("Person", "reports")
    for key in people.keys {
      let owner = try identity(key)
      let members = try stack.store.members(of: tagged, owner: owner).map(\.packed.key)
      #expect(Set(members) == tags[key] ?? [], "\(place)")
      let found = try stack.store.members(of: reports, owner: owner).map(\.packed.key)
      #expect(Set(found) == Set(people.filter { $0.value.boss == key }.keys), "\(place)")
    }
  }

  private func checkQueries(_ place: String) throws {
    let old = try stack.store.rows(stack.plan("Person", "age >= 3", sortedBy: ["-age", "name"]))
    let expected = people.values.filter { $0.age >= 3 }
    #expect(old.count == expected.count, "\(place)")
    #expect(
      try old.map { try person($0).age } == expected.map(\.age).sorted(by: >), "\(place)")
    let named = people.values.filter { $0.name == "a" || $0.name == nil }.count
    #expect(
      try stack.store.count(stack.plan("Person", "name == 'a' OR name == nil")) == named,
      "\(place)")
    let led = people.values.filter { $0.boss.flatMap { people[$0] }?.name == "b" }.count
    #expect(try stack.store.count(stack.plan("Person", "boss.name == 'b'")) == led, "\(place)")
  }
}

/// Small random numbers from a seed.
private struct RandomSteps {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A number from 0 up to, not including, `bound`.
  mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }
}
