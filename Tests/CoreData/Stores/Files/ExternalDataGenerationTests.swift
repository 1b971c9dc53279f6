import CoreData
import Testing

@testable import CoreDataSamples

/// Files of external data that a pinned context may still read stay; those of other stores go at once.
@Suite struct ExternalDataGenerationTests {
  private let bytes = ExternalDataFixture.bytes(200_000)
  private let others = ExternalDataFixture.bytes(200_000, seed: 2)

  private func picture(_ context: NSManagedObjectContext) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Picture")
    return try #require(try context.fetch(request).first)
  }

  private func pinned(_ fixture: ExternalDataFixture) throws -> NSManagedObjectContext {
    let context = fixture.makeContext()
    try context.performAndWait {
      try context.setQueryGenerationFrom(.current)
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Picture")) == 1)
    }
    return context
  }

  private func replace(_ fixture: ExternalDataFixture) throws {
    try fixture.perform { context in
      try picture(context).setValue(others, forKey: "bytes")
      try context.save()
    }
  }

  @Test func aGenerationKeepsTheFilesOfItsOwnStoreAlone() throws {
    let (first, second) = (try ExternalDataFixture(), try ExternalDataFixture())
    for fixture in [first, second] { try fixture.insert("a", bytes) }
    let reader = try pinned(first)
    try replace(first)
    try replace(second)
    #expect(first.files.count == 2)
    try second.expectConsistentFiles(1)
    let read = try reader.performAndWait {
      try picture(reader).value(forKey: "bytes") as? Data
    }
    #expect(read == bytes)
  }

  /// Neither a save by another coordinator nor its opening takes them.
  @Test func anotherCoordinatorOnTheFileKeepsThemToo() throws {
    let fixture = try ExternalDataFixture()
    try fixture.insert("a", bytes)
    let reader = try pinned(fixture)
    let other = try ExternalDataFixture(in: fixture.folder)
    try replace(other)
    _ = try ExternalDataFixture(in: fixture.folder)
    #expect(fixture.files.count == 2)
    let read = try reader.performAndWait {
      try picture(reader).value(forKey: "bytes") as? Data
    }
    #expect(read == bytes)
  }

  @Test func theNextOpeningTakesThemWhenNobodyReads() throws {
    let fixture = try ExternalDataFixture()
    try fixture.insert("a", bytes)
    do {
      let reader = try pinned(fixture)
      try replace(fixture)
      #expect(fixture.files.count == 2)
      try reader.performAndWait { try reader.setQueryGenerationFrom(nil) }
    }
    try fixture.close()
    let again = try ExternalDataFixture(in: fixture.folder)
    try again.expectConsistentFiles(1)
  }
}
