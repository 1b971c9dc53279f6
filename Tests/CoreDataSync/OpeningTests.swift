import CoreData
import Testing

@testable import CoreDataSync

/// What a device that is started again derives for the first page that comes: what has changed since its last one,
/// or everything where the rules or the model are others.
@Suite struct OpeningTests {
  private static let count = 50

  private func devices() async throws -> Two {
    let two = try await Two()
    try two.a.edit { context in
      for number in 0..<Self.count { context.insert("Note", ["title": "\(number)"]) }
    }
    try await two.a.sync()
    try await two.settle()
    return two
  }

  /// Another device edits a note; how many records this one derives for that. Nil for all.
  private func derived(by phone: Phone, after other: Phone) async throws -> Int? {
    try other.edit { try $0.find("Note", "title", "7").setValue("seven", forKey: "title") }
    try await other.sync()
    try await phone.sync()
    #expect(try phone.values("Note", "title").contains("seven"))
    return try await phone.engine.inspect { $0.derivedCount }
  }

  @Test func oneThatShowedEverythingDerivesWhatComes() async throws {
    let two = try await devices()
    try await two.b.restart()
    #expect(try await derived(by: two.b, after: two.a) == 1)
  }

  @Test func whatWasEditedBeforeIsDerivedToo() async throws {
    let two = try await devices()
    try two.b.edit { try $0.find("Note", "title", "9").setValue("nine", forKey: "title") }
    // It is scanned, and cannot be sent.
    two.b.line.isOffline = true
    await #expect(throws: (any Error).self) { try await two.b.sync() }
    try await two.b.restart()
    two.b.line.isOffline = false
    let derived = try #require(try await derived(by: two.b, after: two.a))
    #expect(derived <= 2)
    try await two.settle()
    #expect(try two.a.values("Note", "title") == two.b.values("Note", "title"))
    #expect(try two.a.values("Note", "title").contains("nine"))
  }

  @Test(arguments: [999, 1_000, 1_001])
  func manyThatWereEditedAreEverything(count: Int) async throws {
    let two = try await devices()
    try two.b.edit { context in
      for number in 0..<count { context.insert("Note", ["title": "new \(number)"]) }
    }
    two.b.line.isOffline = true
    await #expect(throws: (any Error).self) { try await two.b.sync() }
    let unshown = try await two.b.engine.inspect { session in session.unshownCount }
    #expect(unshown == count)
    try await two.b.restart()
    let again = try await two.b.engine.inspect { session in session.unshownCount }
    #expect(again == (count <= 1_000 ? count : nil))
    two.b.line.isOffline = false
    try await two.settle()
    #expect(try two.a.count("Note") == Self.count + count)
    #expect(try two.a.values("Note", "title") == two.b.values("Note", "title"))
  }

  @Test func anotherModelDerivesEverything() async throws {
    let two = try await devices()
    let first = ModelMap(model: two.b.model, configuration: two.b.configuration).derivation
    #expect(ModelMap(model: two.b.model, configuration: two.b.configuration).derivation == first)
    var configuration = two.b.configuration
    configuration.editWins = ["Note"]
    #expect(ModelMap(model: two.b.model, configuration: configuration).derivation != first)
    let model = try #require(two.b.model.copy() as? NSManagedObjectModel)
    model.entitiesByName["Note"]?.attributesByName["title"]?.isOptional.toggle()
    #expect(ModelMap(model: model, configuration: two.b.configuration).derivation != first)
  }
}
