import Foundation
import Testing
import TestSupport

/// What is in the store after the process has been killed or asked to end.
@Suite(.serialized)
struct ListKillTests {
  private static let titles = "SELECT ZTITLE FROM ZITEM WHERE ZPARENT NOT NULL ORDER BY ZORDER"

  @Test func whatWasSavedIsThereAfterSIGKILL() async throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    print("Kill test: seed \(seed)")
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let store = folder.file("Lists.sqlite")
    var saved: [String] = []
    for round in 0..<8 {
      let application = try ApplicationProcess(store: store)
      let window = try await WindowClient(application.address)
      var added = saved
      for _ in 0..<Int.random(in: 1...30, using: &random) {
        added.append("Round \(round), no. \(added.count)")
        #expect(try await window.add(added[added.count - 1]).status == 204)
      }
      let known = try await perhapsSave(window, added, saved, using: &random)
      await killSoon(application, window, using: &random)
      saved = try expectSaved(known, orMoreOf: added, store, "seed \(seed), round \(round)")
      try await expectShown(saved.count, store)
    }
  }

  @Test func anIdleMomentSaves() async throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Lists.sqlite")
    let application = try ApplicationProcess(store: store)
    let window = try await WindowClient(application.address)
    for number in 1...5 { _ = try await window.add("Item \(number)") }
    let expected = (1...5).map { "Item \($0)" }
    try await SQLiteShell.wait(for: expected, Self.titles, store)
    application.kill()
    try await SQLiteShell.wait(for: expected, Self.titles, store)
    try await SQLiteShell.wait(for: ["ok"], "PRAGMA integrity_check", store)
  }

  @Test func hidingThePageSavesAtOnce() async throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Lists.sqlite")
    let application = try ApplicationProcess(store: store)
    let window = try await WindowClient(application.address)
    _ = try await window.add("Milk")
    try await window.hide()
    application.kill()
    try await SQLiteShell.wait(for: ["Milk"], Self.titles, store)
  }

  @Test func SIGTERMSavesWhatIsPending() async throws {
    let folder = try TemporaryFolder()
    let store = folder.file("Lists.sqlite")
    let application = try ApplicationProcess(store: store)
    let window = try await WindowClient(application.address)
    _ = try await window.add("Milk")
    #expect(application.terminate() == 0)
    try await SQLiteShell.wait(for: ["Milk"], Self.titles, store)
    #expect(try application.complaints == "")
  }

  // MARK: Rounds

  /// Saves in two of three rounds; answers with what must be in the store from now on.
  private func perhapsSave(
    _ window: WindowClient, _ added: [String], _ saved: [String],
    using random: inout SplitMix64
  ) async throws -> [String] {
    guard Int.random(in: 0..<3, using: &random) > 0 else { return saved }
    try await window.hide()
    return added
  }

  /// Kills within some milliseconds after a last change and the beginning of its save.
  private func killSoon(
    _ application: ApplicationProcess, _ window: WindowClient, using random: inout SplitMix64
  ) async {
    let moment = ContinuousClock.now + .microseconds(Int.random(in: 0..<40_000, using: &random))
    // The process is gone before it answers, or after.
    let saving = Task {
      _ = try? await window.add("perhaps")
      try? await window.hide()
    }
    while ContinuousClock.now < moment { await Task.yield() }
    application.kill()
    await saving.value
  }

  /// The store has all that was saved, in order, and of what came later a beginning.
  private func expectSaved(
    _ saved: [String], orMoreOf added: [String], _ store: URL, _ comment: Comment
  ) throws -> [String] {
    let found = try SQLiteShell.query(Self.titles, store)
    #expect(found.starts(with: saved), comment)
    #expect((added + ["perhaps"]).starts(with: found), comment)
    #expect(try SQLiteShell.query("PRAGMA integrity_check", store) == ["ok"], comment)
    return found
  }

  /// Started again, the application shows what the store has, as far as a page holds rows.
  private func expectShown(_ count: Int, _ store: URL) async throws {
    let application = try ApplicationProcess(store: store)
    let window = try await WindowClient(application.address)
    #expect(window.count == count)
    application.kill()
  }
}
