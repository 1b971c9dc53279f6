import Foundation
import TestSupport
import Testing

/// A migration by a policy keeps its objects, and what belongs together, out of memory: its peak does not grow with the
/// rows of a store.
struct PolicyMemoryTests {
  /// The peak of a process that migrates a store of so many items and saves after each `limit` of them, in bytes.
  private func peak(_ count: Int, limit: Int) throws -> Int {
    let store = try TestFolder()
    let url = store.file("Store.sqlite")
    #expect(try WriterProcess("fill", url.path, "\(count)").waitUntilExit() == 0)
    let process = try WriterProcess("peak", url.path, "\(limit)")
    return try #require(process.line().flatMap { Int($0) })
  }

  @Test func thePeakDoesNotGrowWithTheRows() throws {
    let (few, many) = (16_000, 64_000)
    let first = try peak(few, limit: 500)
    let second = try peak(many, limit: 500)
    // SQLite's caches grow up to a size of their own, some megabytes together. An object or an entry of a dictionary for
    // each row takes several hundred bytes.
    #expect(second - first < 250 * (many - few), "\(first) and \(second) bytes")
  }
}
