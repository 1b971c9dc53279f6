import CoreData
import Testing

@testable import CoreDataSync

/// What syncing costs: printed, not judged. `SYNC_FIGURES=5000` is the number of notes.
@Suite(.serialized) struct FiguresTests {
  private static let number = ProcessInfo.processInfo.environment["SYNC_FIGURES"].flatMap {
    Int($0)
  }

  @Test(.enabled(if: number != nil)) func figures() async throws {
    let number = Self.number ?? 0
    let two = try await Two()
    try two.a.edit { context in
      let account = context.insert("Account", ["name": "a"])
      let folders = (0..<max(1, number / 100)).map {
        context.insert("Folder", ["title": "\($0)", "account": account])
      }
      for index in 0..<number {
        context.insert(
          "Note",
          ["title": "note \(index)", "lo": 1, "hi": 5, "folder": folders[index % folders.count]])
      }
    }
    func measure(_ what: String, _ body: () async throws -> Void) async throws {
      let start = ContinuousClock.now
      try await body()
      print("FIGURE \(what): \(ContinuousClock.now - start)")
    }
    try await measure("first push of \(number)") { try await two.a.sync() }
    try await measure("first pull of \(number)") { try await two.b.sync() }
    let file = two.b.folder.appendingPathComponent("store.sqlite-sync")
    try await two.b.restart()
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size]
    print("FIGURE sync store: \(size ?? 0) bytes for \(number) records")
    try await measure("opening and an empty cycle") { try await two.b.sync() }
    try await measure("an empty cycle") { try await two.b.sync() }
    try two.a.edit { try $0.find("Note", "title", "note 7").setValue("new", forKey: "title") }
    try await measure("a cycle that sends one edit") { try await two.a.sync() }
    try await measure("a cycle that receives one edit") { try await two.b.sync() }
    try two.a.edit { context in
      context.insert("Note", ["title": "n", "folder": try context.find("Folder", "title", "0")])
    }
    try await measure("a cycle that sends one insertion into a list") { try await two.a.sync() }
    try await measure("a cycle that receives it") { try await two.b.sync() }
  }
}
