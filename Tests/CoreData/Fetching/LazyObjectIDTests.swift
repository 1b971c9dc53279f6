import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

@Suite struct LazyObjectIDTests {
  private func request() -> NSFetchRequest<NSManagedObjectID> {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Item")
    request.resultType = .managedObjectIDResultType
    request.sortDescriptors = [NSSortDescriptor(key: "order", ascending: true)]
    return request
  }

  private func makeStack(_ count: Int) throws -> TestStack {
    let stack = try TestStack(.sqlite)
    try stack.withContext { (context) throws in
      for number in 0..<count { context.makeItem("item", order: Int64(number)) }
      try context.save()
    }
    return stack
  }

  @Test func theyAreThoseOfAnArrayAndTheSameInstances() throws {
    // More than a stripe of the table of IDs has.
    try makeStack(3_000).withContext { (context) throws in
      let array = try context.fetch(request())
      let lazily = try context.fetchLazily(request())
      #expect(lazily.count == 3_000 && zip(array, lazily).allSatisfy { $0 === $1 })
      #expect(lazily[7] === array[7] && lazily.last === array.last)
      #expect(Set(array).count == 3_000)
    }
  }

  @Test func unsavedObjectsAreAmongThemAndKeepTheirIDs() throws {
    try makeStack(2).withContext { (context) throws in
      let new = context.makeItem("new", order: -1)
      let identities = try context.fetchLazily(request())
      #expect(identities.count == 3 && identities[0] === new.objectID)
      #expect(try context.fetch(request()).map(\.isTemporaryID) == [true, false, false])
      context.delete(new)
      #expect(identities[0].isTemporaryID)
    }
  }

  @Test func anotherResultTypeIsRefused() throws {
    try makeStack(1).withContext { (context) throws in
      let request = request()
      request.resultType = .countResultType
      #expect(throws: NSError.self) { try context.fetchLazily(request) }
    }
  }

  @Test func theyOutliveTheirStore() throws {
    let stack = try makeStack(2)
    let (identities, first) = try stack.withContext { (context) throws in
      let identities = try context.fetchLazily(request())
      return (identities, identities[0])
    }
    let store = try #require(stack.coordinator.persistentStores.first)
    try stack.coordinator.remove(store)
    #expect(identities[0] === first && identities[1].persistentStore == nil)
    #expect(identities[1].uriRepresentation().absoluteString.hasSuffix("/Item/p2"))
  }
}

@Suite struct IdentitySpaceTests {
  private func makeSpace() -> (IdentitySpace, EntityLayout) {
    let entity = NSEntityDescription()
    entity.name = "Thing"
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let layouts = model.entityLayouts()
    return (IdentitySpace(storeOrdinal: 1, storeUUID: "U", layouts: layouts), layouts[0])
  }

  @Test func keysOfEveryLengthAreWrittenOut() {
    let (space, _) = makeSpace()
    var power: Int64 = 1
    for _ in 0..<18 {
      for key in [power - 1, power, power + 1] { #expect(space.reference(key) == "p\(key)") }
      power *= 10
    }
    for key in [-1, Int64.min, .max] { #expect(space.reference(key) == "p\(key)") }
  }

  @Test func itLivesAsLongAsOneOfItsIDs() {
    weak var space: IdentitySpace?
    var identity: NSManagedObjectID?
    do {
      let (made, layout) = makeSpace()
      space = made
      identity = made.identity(layout, key: 5_000)
      _ = made.identity(layout, key: 5)
    }
    #expect(space != nil && identity?.space === space)
    identity = nil
    #expect(space == nil)
  }

  @Test func itLivesAsLongAsOneOfItsRowsAlsoAReplacedOne() {
    weak var space: IdentitySpace?
    var old: Row?
    do {
      let (made, layout) = makeSpace()
      space = made
      let packed = made.packed(layout, key: 9)
      let rows = (1...2).map { version in
        let row = Row.make(
          layout.format, packed: packed, in: .passUnretained(made), version: Int64(version))
        row.seal()
        made.publish([row], source: .read)
        return row
      }
      #expect(made.cachedRow(layout, packed: packed) === rows[1])
      old = rows[0]
    }
    #expect(space != nil && old?.space === space && old?.version == 1)
    old = nil
    #expect(space == nil)
  }

  @Test func aRowThatWasNeverPublishedKeepsItToo() {
    weak var space: IdentitySpace?
    var row: Row?
    do {
      let (made, layout) = makeSpace()
      space = made
      row = Row.make(layout, packed: made.packed(layout, key: 1), in: made, version: 1)
    }
    #expect(row?.space === space && space != nil)
    row = nil
    #expect(space == nil)
  }
}
