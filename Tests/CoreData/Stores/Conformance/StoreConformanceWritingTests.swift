import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// What every store must do with rows: saving.
@Suite struct StoreConformanceWritingTests {
  @Test(arguments: StoreKind.all)
  func everyTypeOfValueComesBackAsItWas(kind: StoreKind) throws {
    let stack = try StoreStack(kind)
    // Apple's format keeps decimals as floating-point numbers: 15 digits are safe.
    let values: [String: Value] = [
      "name": .text("Ünïcode \u{1F600} 'quoted'"), "age": .integer(.min), "height": .real(-0.1),
      "born": .real(445_103_622.25), "photo": .data(Data([0, 1, 255])), "active": .integer(1),
      "token": .object(UUID() as NSUUID),
      "home": .object(try #require(NSURL(string: "https://example.org/a?b=c"))),
      "amount": .object(NSDecimalNumber(string: "-12345.67")),
    ]
    let row = try stack.makeRow("Person", values)
    try stack.insert(row)
    let stored = try #require(try stack.store.row(of: row.identity))
    for (name, value) in values {
      #expect(stored[try #require(stored.layout.slot(of: name))] == value, "\(name)")
    }
  }

  @Test(arguments: StoreKind.all)
  func missingValuesComeBackAsNull(kind: StoreKind) throws {
    let stack = try StoreStack(kind)
    let row = try stack.makeRow("Person")
    try stack.insert(row)
    let stored = try #require(try stack.store.row(of: row.identity))
    #expect((0..<stored.count).allSatisfy { stored[$0].isNull })
  }

  @Test(arguments: StoreKind.all.filter(\.givesKeys))
  func keysAreNeverGivenTwice(kind: StoreKind) throws {
    let stack = try StoreStack(kind)
    let first = try stack.store.reserveKeys(3, for: stack.layout("Person"))
    let second = try stack.store.reserveKeys(1, for: stack.layout("Employee"))
    let third = try stack.store.reserveKeys(1, for: stack.layout("Person"))
    #expect(second >= first + 3)
    #expect(third > second)
    #expect(first >= 1)
  }

  @Test(arguments: StoreKind.all)
  func versionsCountFromOne(kind: StoreKind) throws {
    let stack = try StoreStack(kind)
    let identity = try stack.insert(stack.makeRow("Tag", ["name": .text("a")]))[0]
    let first = try #require(try stack.store.row(of: identity))
    #expect(first.version == 1)
    try stack.save(stack.update(first, ["name": .text("b")]))
    let second = try #require(try stack.store.row(of: identity))
    #expect(second.version == 2)
    #expect(second[0] == .text("b"))
    try stack.save(stack.update(second, [:]))
    #expect(try stack.store.row(of: identity)?.version == 3)
  }

  @Test(arguments: StoreKind.all)
  func anUpdateOfAnOldSnapshotIsAConflict(kind: StoreKind) throws {
    let stack = try StoreStack(kind)
    let identity = try stack.insert(stack.makeRow("Tag", ["name": .text("a")]))[0]
    let old = try #require(try stack.store.row(of: identity))
    try stack.save(stack.update(old, ["name": .text("b")]))
    let error = try #require(throws: SaveConflicts.self) {
      try stack.save(stack.update(old, ["name": .text("c")]))
    }
    #expect(error.conflicts.map(\.identity) == [identity])
    #expect(error.conflicts[0].stored?.version == 2)
    #expect(try stack.values(stack.plan("Tag"), of: "name") == [.text("b")])
  }

  @Test(arguments: StoreKind.all)
  func aConflictKeepsEverythingElseFromBeingWritten(kind: StoreKind) throws {
    let stack = try StoreStack(kind)
    let identity = try stack.insert(stack.makeRow("Tag", ["name": .text("a")]))[0]
    let old = try #require(try stack.store.row(of: identity))
    try stack.save(stack.update(old, ["name": .text("b")]))
    var changes = try stack.update(old, ["name": .text("c")])
    changes.inserted = [try stack.makeRow("Tag", ["name": .text("new")])]
    #expect(throws: SaveConflicts.self) { try stack.save(changes) }
    #expect(try stack.store.count(stack.plan("Tag")) == 1)
  }

  @Test(arguments: StoreKind.all)
  func deletingWhatIsGoneIsAConflictUnlessItWasAFault(kind: StoreKind) throws {
    let stack = try StoreStack(kind)
    let identity = try stack.insert(stack.makeRow("Tag", ["name": .text("a")]))[0]
    let row = try #require(try stack.store.row(of: identity))
    var changes = StoreChanges()
    changes.deleted = [StoreChanges.Deletion(identity: identity, snapshot: row)]
    try stack.save(changes)
    #expect(try stack.store.row(of: identity) == nil)
    let error = try #require(throws: SaveConflicts.self) { try stack.save(changes) }
    #expect(error.conflicts.count == 1)
    #expect(error.conflicts[0].stored == nil)
    changes.deleted = [StoreChanges.Deletion(identity: identity, snapshot: nil)]
    try stack.save(changes)
  }

  @Test(arguments: StoreKind.all.filter(\.isDurable))
  func whatWasSavedIsThereWhenTheStoreIsOpenedAgain(kind: StoreKind) throws {
    let stack = try StoreStack(kind)
    try stack.insert(stack.makeRow("Tag", ["name": .text("kept")]))
    let url = try #require(stack.store.url)
    let identifier = stack.store.identifier
    try stack.coordinator.remove(stack.store)
    let store = try stack.coordinator.addPersistentStore(
      ofType: kind.rawValue, configurationName: nil, at: url)
    #expect(store.identifier == identifier)
    let rows = try stack.coordinator.rows(stack.plan("Tag"))
    #expect(rows.map { $0[0] } == [.text("kept")])
  }
}
