import Foundation
import Testing
import TestSupport

/// Goods, Employees and Books killed with SIGKILL at any moment: started again, each has everything
/// that was saved, and of the change that was under way all or nothing.
@Suite(.serialized)
struct ApplicationKillTests {
  private static let rounds = 6

  /// A change that a user makes and that the application saves.
  private struct Change: Sendable {
    /// What the store says afterwards.
    let result: [String]
    let make: @Sendable (PageClient) async throws -> Void
  }

  /// Plays rounds of changes, each ended by a kill in the midst of one more change.
  ///
  /// - Parameters:
  ///   - truth: what the store says, as a query with a line for each row of the list.
  ///   - plan: chooses a change of what the store says.
  private func play(
    _ name: String, _ arguments: [String], _ truth: String,
    _ plan: ([String], inout SplitMix64) -> Change
  ) async throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    print("Kill test of \(name): seed \(seed)")
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let store = folder.file("\(name).sqlite")
    for round in 0..<Self.rounds {
      let comment: Comment = "seed \(seed), round \(round)"
      let application = try ApplicationProcess(
        name, store: store, arguments: round == 0 ? arguments : [])
      let client = try await PageClient(application.address)
      var state = try SQLiteShell.query(truth, store)
      // What the last round left is what the application shows now.
      #expect(try await client.count() == state.count, comment)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let change = plan(state, &random)
        try await change.make(client)
        state = change.result
        #expect(try SQLiteShell.query(truth, store) == state, comment)
      }
      let last = plan(state, &random)
      await kill(application, during: last, client, &random)
      let found = try SQLiteShell.query(truth, store)
      #expect(found == state || found == last.result, comment)
      #expect(try SQLiteShell.query("PRAGMA integrity_check", store) == ["ok"], comment)
    }
  }

  /// Kills within some milliseconds after the beginning of a change.
  private func kill(
    _ application: ApplicationProcess, during change: Change, _ client: PageClient,
    _ random: inout SplitMix64
  ) async {
    let moment = ContinuousClock.now + .microseconds(Int.random(in: 0..<60_000, using: &random))
    // The process is gone before it answers, or after.
    let changing = Task { try? await change.make(client) }
    while ContinuousClock.now < moment { await Task.yield() }
    application.kill()
    await changing.value
  }

  @Test func goodsThatAreCounted() async throws {
    let truth = "SELECT ZNAME, ZNUMBER FROM ZGOODS ORDER BY Z_PK"
    try await play("goods", ["--seed", "30"], truth) { state, random in
      let row = Int.random(in: state.indices, using: &random)
      let parts = state[row].split(separator: "|")
      var result = state
      result[row] = "\(parts[0])|\((Int(parts[1]) ?? 0) + 1)"
      let name = String(parts[0])
      return Change(result: result) { try await $0.choose(name) }
    }
  }

  @Test func employeesThatAreDeleted() async throws {
    let truth = "SELECT ZNAME FROM ZEMPLOYEE ORDER BY Z_PK"
    try await play("employees", ["--seed", "38"], truth) { state, random in
      let name = state.randomElement(using: &random) ?? ""
      return Change(result: state.filter { $0 != name }) { try await $0.delete(name) }
    }
  }

  @Test func employeesThatAreAddedByThePageAreAllThereOrNone() async throws {
    try await play("employees", [], "SELECT 1 FROM ZEMPLOYEE") { state, _ in
      Change(result: state + Array(repeating: "1", count: 20)) {
        try await $0.press("Add more data")
      }
    }
  }

  @Test func booksThatAreEdited() async throws {
    let truth = "SELECT ZTITLE FROM ZBOOK ORDER BY Z_PK"
    try await play("books", [], truth) { state, random in
      let row = Int.random(in: state.indices, using: &random)
      let old = state[row]
      let new = "\(old.prefix(24)) \(random.next() % 1_000_000)"
      var result = state
      result[row] = new
      return Change(result: result) { client in
        try await client.choose(old)
        // Where the last process was killed in the midst of an edit, the page takes it up again.
        if try await !client.has("Done") { try await client.press("Edit") }
        try await client.choose("Title")
        try await client.fill(new)
        try await client.press("Save")
        try await client.press("Done")
        try await client.back()
      }
    }
  }
}
