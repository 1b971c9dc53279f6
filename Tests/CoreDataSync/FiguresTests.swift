import CoreData
import CoreDataSupport
import TestSupport
import Testing

@testable import CoreDataSync

/// What syncing costs: printed, not judged. `SYNC_FIGURES=5000` is the number of notes.
@Suite(.serialized) struct FiguresTests {
  private static let number = ProcessInfo.processInfo.environment["SYNC_FIGURES"].flatMap {
    Int($0)
  }

  /// A list that is made, grows one by one, and is turned round; and two stores with one half in
  /// common.
  @Test(.enabled(if: number != nil)) func lists() async throws {
    for number in [Self.number ?? 0, 2 * (Self.number ?? 0)] {
      let list = ModelPart.entity("List", [ModelPart.attribute("name")])
      let item = ModelPart.entity("Item", [ModelPart.attribute("name")])
      list.uniquenessConstraints = [["name"]]
      item.uniquenessConstraints = [["name"]]
      ModelPart.connect(
        ModelPart.end(list, "items", to: item, isOrdered: true),
        ModelPart.end(item, "list", to: list, maxCount: 1))
      let devices = try Devices(ModelPart.model([list, item]))
      func measure(_ what: String, _ body: () async throws -> Void) async throws {
        let start = ContinuousClock.now
        try await body()
        print("FIGURE \(number) \(what): \(ContinuousClock.now - start)")
      }
      func fill(_ phone: Phone, from first: Int) throws {
        try phone.edit { context in
          let list = context.insert("List", ["name": "l"])
          let items = (first..<first + number).map { context.insert("Item", ["name": "\($0)"]) }
          list.setValue(NSOrderedSet(array: items), forKey: "items")
        }
      }
      try fill(devices.a, from: 0)
      try fill(devices.b, from: number / 2)
      try await measure("two stores that are one") { try await devices.settle() }
      try devices.a.edit { context in
        let list = try context.find("List", "name", "l")
        let items = (list.value(forKey: "items") as? NSOrderedSet)?.array ?? []
        list.setValue(NSOrderedSet(array: items.reversed()), forKey: "items")
      }
      try await measure("a list is turned, sent") { try await devices.a.sync() }
      try await measure("a list is turned, received") { try await devices.b.sync() }
      let rows = try devices.phones.map {
        try $0.read { try $0.find("List", "name", "l").names("items") }
      }
      #expect(rows[0] == rows[1])
      #expect(rows[0].count == number + number / 2)
    }
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
