import Foundation
import Testing
import TestSupport

/// What is left of the heroes after the process has been killed while heroes were deleted.
@Suite(.serialized)
struct HeroesKillTests {
  private static let names = "SELECT ZNAME FROM ZHERO ORDER BY ZNAME, ZSECRETIDENTITY, Z_PK"

  @Test func whatWasSavedIsThereAfterSIGKILL() async throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    print("Heroes kill test: seed \(seed)")
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let store = folder.file("Heroes.sqlite")
    var expected: [String]?
    for round in 0..<6 {
      let application = try ApplicationProcess(
        "heroes", store: store, arguments: ["--seed", "200"])
      let window = try await WindowClient(application.address)
      var left = try SQLiteShell.query(Self.names, store)
      if let expected { #expect(left == expected) }
      #expect(window.count == left.count)
      // Each answer says that the deletion is saved.
      var rows = window.rows
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        let place = Int.random(in: rows.indices, using: &random)
        #expect(try await delete(rows[place], in: window)?.status == 204)
        rows.remove(at: place)
        left.remove(at: place)
      }
      let last = Int.random(in: rows.indices, using: &random)
      await killSoon(application, window, rows[last], using: &random)
      var without = left
      without.remove(at: last)
      let found = try SQLiteShell.query(Self.names, store)
      #expect(found == left || found == without, "seed \(seed), round \(round)")
      try await SQLiteShell.wait(for: ["ok"], "PRAGMA integrity_check", store)
      expected = found
    }
  }

  private func delete(_ row: String, in window: WindowClient) async throws -> WindowClient.Answer? {
    try await window.send(["type": "action", "id": window.table, "row": row, "side": "trailing"])
  }

  /// Kills within some milliseconds after the beginning of a last deletion.
  private func killSoon(
    _ application: ApplicationProcess, _ window: WindowClient, _ row: String,
    using random: inout SplitMix64
  ) async {
    let moment = ContinuousClock.now + .microseconds(Int.random(in: 0..<20_000, using: &random))
    // The process is gone before it answers, or after.
    let deleting = Task { _ = try? await delete(row, in: window) }
    while ContinuousClock.now < moment { await Task.yield() }
    application.kill()
    await deleting.value
  }
}
