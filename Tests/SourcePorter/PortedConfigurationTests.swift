import Foundation
import Testing

@testable import SourcePorter

/// `ported.json`: what it names, and what is wrong with it.
@Suite final class PortedConfigurationTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "PortedConfigurationTests-\(UUID().uuidString)"
  ).resolvingSymlinksInPath()

  init() throws {
    for name in [
      "Target/ported.json", "App/A.swift", "App/Deep/B.swift",
      "App/Deep/Model.xcdatamodeld/contents",
      "App/View.swift", "App/notes.txt", "Main/main.swift", "Other/A.swift",
    ] {
      let url = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: url)
    }
  }

  deinit {
    // A folder that is left behind harms nobody.
    try? FileManager.default.removeItem(at: folder)
  }

  private func files(_ json: String) throws -> PortedFiles {
    let target = folder.appendingPathComponent("Target")
    try json.write(
      to: target.appendingPathComponent("ported.json"), atomically: true, encoding: .utf8)
    return try PortedConfiguration(folder: target).files()
  }

  @Test func foldersAreWalkedThrough() throws {
    let files = try files(#"{"sources": ["../App"], "excluding": ["../App/View.swift"]}"#)
    #expect(files.sources.map(\.lastPathComponent) == ["A.swift", "B.swift"])
    #expect(files.models.map(\.lastPathComponent) == ["Model.xcdatamodeld"])
    #expect(files.folders.map(\.lastPathComponent) == ["App", "Deep"])
  }

  @Test func declarationsAreLeftOut() throws {
    _ = try files(#"{"sources": ["../App"], "without": {"A.swift": ["Book.cover"]}}"#)
    #expect(throws: ConfigurationError.self) {
      try files(#"{"sources": ["../App"], "without": {"C.swift": ["Book.cover"]}}"#)
    }
    #expect(throws: ConfigurationError.self) {
      try files(#"{"sources": ["../App"], "without": {"A.swift": "Book.cover"}}"#)
    }
  }

  @Test func aFileIsTakenInAnothersPlace() throws {
    let files = try files(
      #"{"sources": ["../App"], "replacing": {"A.swift": "../Other/A.swift"}}"#)
    #expect(files.sources.map(\.path).contains(folder.path + "/Other/A.swift"))
    #expect(!files.sources.map(\.path).contains(folder.path + "/App/A.swift"))
  }

  @Test(arguments: [
    (#"{"sources": ["../Nowhere"]}"#, "there is no"),
    (#"{"sources": ["../App"], "source": []}"#, "unknown key “source”"),
    (#"{"excluding": []}"#, "lacks the key “sources”"),
    (#"{"sources": "../App"}"#, "another form"),
    (#"{"sources": ["../App/notes.txt"]}"#, "would be empty"),
    (#"{"sources": ["../App", "../Other"]}"#, "two sources are called A.swift"),
    (
      #"{"sources": ["../App"], "replacing": {"C.swift": "../App/A.swift"}}"#,
      "no source has this name"
    ),
    (#"{"sources": ["../Main"]}"#, "starts a program"),
    (#"{"sources": ["#, "no JSON"),
  ]) func whatIsWrongIsSaid(json: String, message: String) {
    #expect { try files(json) } throws: {
      "\($0)".contains(message) && "\($0)".contains("ported.json")
    }
  }

  @Test func aPlanWithOtherSourcesIsVoid() throws {
    _ = try files(#"{"sources": ["../App"]}"#)
    let list = SourceList(configuration: folder.appendingPathComponent("Target/ported.json"))
    let planned = ["A.swift", "Deep/B.swift", "View.swift"].map {
      folder.appendingPathComponent("App/\($0)")
    }
    try list.check(against: planned, conditions: [])
    #expect { try list.check(against: Array(planned.dropLast()), conditions: []) } throws: {
      "\($0)".contains("View.swift is new") && "\($0)".contains("touch Package.swift")
    }
    #expect { try list.check(against: planned, conditions: ["DEBUG"]) } throws: {
      "\($0)".contains("conditions")
    }
  }
}
