import Foundation
import StoreTool
import Testing

/// Files that are no stores, or broken ones: a status that means something, and a text that says what was found.
struct WrongFileTests {
  private func expect(_ data: Data?, _ status: Int32, _ part: String) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "Wrong-\(UUID().uuidString).sqlite")
    // A file that is left behind harms nobody.
    defer { try? FileManager.default.removeItem(at: file) }
    try data?.write(to: file)
    for command in ["inspect", "check", "query"] {
      let run = try ToolRun([command, file.path] + (command == "query" ? ["Book"] : []))
      #expect(run.status == status, "\(command): \(run.errors)")
      #expect(run.errors.contains(part), "\(command): \(run.errors)")
      #expect(run.output.isEmpty)
    }
    #expect(FileManager.default.contents(atPath: file.path) == data)
  }

  @Test func nothing() throws { try expect(nil, 66, "There is no file") }

  @Test func anEmptyFile() throws { try expect(Data(), 65, "is empty") }

  @Test func encryptedBytes() throws {
    var state: UInt64 = 19
    let bytes = (0..<8192).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 40)
    }
    try expect(Data(bytes), 65, "may be encrypted")
  }

  @Test func anotherFormat() throws { try expect(Data("{\"a\": 1}".utf8), 65, "JSON") }

  @Test func brokenXML() throws {
    try expect(Data("<?xml version=\"1.0\"?><database><object type='A'".utf8), 65, "XML")
  }

  @Test func aTruncatedStore() throws {
    let data = try Data(contentsOf: Library().url)
    try expect(data.prefix(5000), 65, "damaged")
  }

  @Test func overwrittenPages() throws {
    var data = try Data(contentsOf: Library().url)
    data.replaceSubrange(4096..<data.count, with: repeatElement(0xAB, count: data.count - 4096))
    try expect(data, 65, "damaged")
  }

  @Test func aFolder() throws {
    let run = try ToolRun("inspect", FileManager.default.temporaryDirectory.path)
    #expect(run.status == 65)
    #expect(run.errors.contains("folder"))
  }

  @Test func aDatabaseOfSomebodyElse() throws {
    let library = try Library()
    try library.sql("DROP TABLE Z_METADATA")
    let run = try ToolRun("inspect", library.url.path)
    #expect(run.status == 65)
    #expect(run.errors.contains("not a store of Core Data"))
  }

  @Test func anotherModel() throws {
    let library = try Library()
    let other = library.folder.appendingPathComponent("Other.xcdatamodel")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    let text =
      "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\"><entity name=\"Book\" syncable=\"YES\"/></model>"
    try Data(text.utf8).write(to: other.appendingPathComponent("contents"))
    let run = try ToolRun("inspect", library.url.path, "--model", other.path)
    #expect(run.status == 65)
    #expect(run.errors.contains("different: Book"), "\(run.errors)")
  }

  @Test func wrongArguments() throws {
    #expect(try ToolRun("query").status == 64)
    #expect(try ToolRun("nonsense").status == 64)
    #expect(try ToolRun("--help").status == 0)
  }
}

/// A store whose metadata are gone is looked into, and nothing is written into it.
struct LostMetadataTests {
  @Test func itIsReadAndNotWritten() throws {
    let library = try Library(history: false)
    try library.sql("UPDATE Z_METADATA SET Z_PLIST = NULL")
    #expect(try library.lines("Book") { $0.condition = "title == 'Emma'" }.count == 1)
    let before = try contents(of: library.folder)
    let run = try ToolRun("set", library.url.path, "Book/p1", "pages=7")
    #expect(run.status == 65 && run.errors.contains("Z_METADATA"), "\(run.errors)")
    let after = try contents(of: library.folder)
    #expect(after[library.url.lastPathComponent] == before[library.url.lastPathComponent])
  }
}
