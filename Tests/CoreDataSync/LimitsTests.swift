import CoreData
import SyncSupport
import TestSupport
import Testing

@testable import CoreDataSync

/// Pushes keep to what the server takes: records, pairs and aliases together, and bytes; also where
/// it takes less than it says, as behind a proxy.
@Suite struct LimitsTests {
  /// What may be more than a message holds.
  enum Kind: CaseIterable { case records, pairs, both, deletions }

  @Test(arguments: Sample.of(Kind.allCases, [1, 2, 7, 20]))
  func changesOfEveryKindKeepToTheLimit(_ kind: Kind, limit: Int) async throws {
    let two = try await Two()
    two.a.pushLimit = limit
    two.a.line.mostChanges = limit
    try two.a.edit { Self.fill($0, tags: kind != .records) }
    if kind != .both { try await two.settle() }
    if kind == .pairs { try two.a.edit { try Self.tagAnew($0) } }
    if kind == .deletions {
      try two.a.edit { context in try context.all("Note").forEach(context.delete) }
    }
    try await two.settle()
    #expect(two.a.line.pushes.allSatisfy { $0.count <= limit })
    let names = try two.a.read { try Self.tags(of: $0) }
    #expect(try two.b.read { try Self.tags(of: $0) } == names)
    #expect(names.count == (kind == .deletions ? 0 : 20))
  }

  @Test(arguments: [1, 3, 10])
  func aServerThatTakesLessThanItSaysGetsLess(most: Int) async throws {
    let two = try await Two()
    two.a.line.mostChanges = most
    try two.a.edit { Self.fill($0, tags: true) }
    try await two.settle()
    #expect(try two.b.read { try Self.tags(of: $0) } == two.a.read { try Self.tags(of: $0) })
    #expect(try two.b.count("Note") == 20)
    #expect(try await two.a.engine.inspect { !$0.state.hasUnsent })
  }

  @Test func aMessageThatWasMadeUnderALargerLimitIsMadeAnew() async throws {
    let two = try await Two()
    try two.a.edit { Self.fill($0, tags: true) }
    two.a.line.lostAnswers = 3
    await #expect(throws: SyncTransportError.self) { try await two.a.sync() }
    two.a.line.isOffline = true
    await #expect(throws: SyncTransportError.self) { try await two.a.sync() }
    try await two.a.restart()
    two.a.line.lostAnswers = 0
    two.a.line.isOffline = false
    two.a.line.mostChanges = 4
    try await two.settle()
    #expect(try two.b.count("Note") == 20)
    #expect(try two.b.read { try Self.tags(of: $0) } == two.a.read { try Self.tags(of: $0) })
  }

  @Test func bytesThatAProxyDoesNotTakeAreHalved() async throws {
    let two = try await Two()
    two.a.line.mostBytes = 20_000
    try two.a.edit { context in
      for number in 0..<10 {
        context.insert("Note", ["title": "\(number)" + String(repeating: "x", count: 5_000)])
      }
      context.insert("Note", ["title": String(repeating: "y", count: 50_000)])
      context.insert("Note", ["title": "last"])
    }
    try await two.settle()
    #expect(
      try two.b.values("Note", "title").map(\.count).sorted()
        == [3, 4] + Array(repeating: 5_001, count: 10))
    let held = two.a.engine.status.held
    #expect(held.count == 1 && held.first?.property == "title")
  }

  @Test(arguments: [1, 4, 50])
  func aliasesThatARestoredServerLacksGoByParts(limit: Int) async throws {
    let two = try await Two()
    for phone in [two.a, two.b] {
      try phone.edit { context in
        for number in 0..<15 { context.insert("Tag", ["name": "tag \(number)"]) }
      }
    }
    try await two.settle()
    #expect(try await two.a.engine.inspect { $0.state.aliases.count } == 15)
    two.cloud.restore()
    for phone in [two.a, two.b] {
      phone.pushLimit = limit
      phone.line.mostChanges = limit
    }
    let before = two.a.line.pushes.count + two.b.line.pushes.count
    try await two.settle()
    let pushes = two.a.line.pushes + two.b.line.pushes
    #expect(pushes.count > before)
    #expect(Set(pushes.flatMap(\.aliases).map(\.loser)).count == 15)
    #expect(try two.b.count("Tag") == 15)
    for phone in [two.a, two.b] {
      #expect(try await phone.engine.inspect { $0.state.standing.hasOfferedAliases })
    }
  }

  @Test func aChangeThatIsTooLargeByItselfIsTold() async throws {
    let two = try await Two()
    two.a.line.mostBytes = 10
    try two.a.edit { $0.insert("Note", ["title": "n"]) }
    let error = await #expect(throws: SyncTransportError.self) { try await two.a.sync() }
    #expect(error?.reason == .tooLarge)
    two.a.line.mostBytes = .max
    try await two.settle()
    #expect(try two.b.count("Note") == 1)
  }

  // MARK: - Samples

  private static func fill(_ context: NSManagedObjectContext, tags: Bool) {
    let all = (0..<3).map { context.insert("Tag", ["name": "tag \($0)"]) }
    for number in 0..<20 {
      let note = context.insert("Note", ["title": "\(number)"])
      if tags { note.setValue(NSSet(array: all), forKey: "tags") }
    }
  }

  private static func tagAnew(_ context: NSManagedObjectContext) throws {
    let tag = context.insert("Tag", ["name": "new"])
    for note in try context.all("Note") { note.setValue(NSSet(object: tag), forKey: "tags") }
  }

  /// The names of the tags of each note, by its title.
  private static func tags(of context: NSManagedObjectContext) throws -> [String: [String]] {
    var names: [String: [String]] = [:]
    for note in try context.all("Note") {
      let tags = note.value(forKey: "tags") as? Set<NSManagedObject> ?? []
      names[note.value(forKey: "title") as? String ?? ""] =
        tags.compactMap { $0.value(forKey: "name") as? String }.sorted()
    }
    return names
  }
}
