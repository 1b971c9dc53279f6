import CoreData
import Foundation
import Testing
import TestSupport

@testable import StoreWriter

/// A process that saves, killed with SIGKILL at any moment. KILL_ROUNDS says how often.
@Suite(.serialized) struct StoreKillTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["KILL_ROUNDS"].flatMap(Int.init) ?? 15
  /// A check reads the whole store, so that a store of any age would make the test's time grow with the square
  /// of its rounds.
  private static let roundsOfAStore = 50

  @Test func whatWasAcknowledgedIsThereAndTheHistoryTellsHowItCame() throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    print("Kill test of a store: seed \(seed)")
    var random = SplitMix64(seed: seed)
    var saves = 0
    for first in stride(from: 0, to: Self.rounds, by: Self.roundsOfAStore) {
      let rounds = first..<min(first + Self.roundsOfAStore, Self.rounds)
      saves += try killAgainAndAgain(rounds, seed: seed, &random)
    }
    print("Kill test of a store: \(Self.rounds) kills in \(saves) saves")
  }

  /// Returns how often one store was saved.
  private func killAgainAndAgain(
    _ rounds: Range<Int>, seed: UInt64, _ random: inout SplitMix64
  ) throws -> Int {
    let store = try WrittenStore()
    var saved = 0
    for round in rounds {
      let comment: Comment = "seed \(seed), round \(round)"
      let acknowledged = try play(store, after: saved, &random)
      let found = try store.number("SELECT IFNULL(MAX(ZSHARED), 0) FROM ZCOUNTER")
      #expect(found == acknowledged || found == acknowledged + 1, comment)
      try check(store, found, comment)
      saved = found
    }
    return saved
  }

  /// Lets the process save, kills it in the midst of a save, and returns the last number that it told.
  private func play(
    _ store: WrittenStore, after saved: Int, _ random: inout SplitMix64
  ) throws -> Int {
    let process = try WriterProcess("saves", store.url.path)
    var last = saved
    try #require(process.line() == "ready")
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      last = try #require(process.line().flatMap { Int($0) })
    }
    let moment = ContinuousClock.now + .microseconds(Int.random(in: 0..<15_000, using: &random))
    while ContinuousClock.now < moment {}
    process.kill()
    while let line = process.line(), let number = Int(line) { last = number }
    return last
  }

  private func check(_ store: WrittenStore, _ number: Int, _ comment: Comment) throws {
    // The first transaction made the counter.
    let expected =
      ["\(number + 1)"] + NumberedSaves.expected(after: number).map { "\($0)|\($1)" }.sorted()
    let found = try store.rows(
      "SELECT COUNT(*) FROM ATRANSACTION; SELECT ZCODE, ZTEXT FROM ZNOTE")
    #expect(found.prefix(1) + found.dropFirst().sorted() == expected[...], comment)
    try store.checkHistory(comment)
    try checkPhotos(store, comment)
  }

  /// Opened again, the store has every photo, and no file that is nobody's.
  private func checkPhotos(_ store: WrittenStore, _ comment: Comment) throws {
    let coordinator = try WriterModel.coordinator(store.url)
    let context = WriterModel.context(coordinator, author: "check")
    let count = try context.performAndWait {
      let notes = try context.all("Note", sortedBy: "code")
      for note in notes {
        let number = try #require(Int(note.value(forKey: "code") as? String ?? ""))
        #expect(note.value(forKey: "photo") as? Data == NumberedSaves.photo(number), comment)
      }
      return notes.count { $0.value(forKey: "photo") != nil }
    }
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    let files = store.folder.appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
    // The folder comes with the first file.
    let names = try? FileManager.default.contentsOfDirectory(atPath: files.path)
    #expect((names ?? []).count { UUID(uuidString: $0) != nil } == count, comment)
  }
}
