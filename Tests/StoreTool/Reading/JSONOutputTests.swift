import Foundation
import StoreTool
import Testing

/// `--json` of every command that reports something.
struct JSONOutputTests {
  private static let commands = [
    ["inspect", "STORE"], ["query", "STORE", "Book"], ["query", "STORE", "Book", "--explain"],
    ["check", "STORE"], ["get", "STORE", "Book/p1"],
    ["set", "STORE", "Book/p1", "title=A"], ["insert", "STORE", "Tag", "word=a"],
    ["delete", "STORE", "Tag/p1"], ["export", "STORE", "OUT.jsonl"],
    ["anonymize", "STORE", "OUT.sqlite"], ["diff", "STORE", "STORE"], ["vacuum", "STORE"],
    ["migrate", "STORE", "--to", "MODEL"], ["model", "show", "STORE"],
    ["model", "diff", "STORE", "MODEL"], ["model", "hash", "STORE"],
    ["model", "convert", "STORE", "OUT.xcdatamodeld"], ["model", "compile", "MODEL", "OUT.momd"],
    ["codegen", "MODEL", "--output", "OUT"],
  ]

  @Test(arguments: commands) func aReportIsOneValue(command: [String]) throws {
    let library = try Library()
    let arguments = command.map {
      switch $0 {
      case "STORE": library.url.path
      case "MODEL": library.modelURL.path
      case let name where name.hasPrefix("OUT"): library.folder.appendingPathComponent(name).path
      default: $0
      }
    }
    let run = try ToolRun(arguments + ["--json"])
    #expect(run.status == 0, "\(run.errors)")
    _ = try JSONSerialization.jsonObject(with: Data(run.output.utf8), options: .fragmentsAllowed)
    #expect(run.errors == "")
  }

  /// Each attribute of `get` has the value and the type that it has in `query`.
  @Test func valuesOfOneObjectHaveTheTypesOfAQuery() throws {
    let library = try Library()
    let get = try ToolRun("get", library.url.path, "Book/p1", "--json")
    let report = try JSONSerialization.jsonObject(with: Data(get.output.utf8)) as? [String: Any]
    let values = try #require(report?["values"] as? [String: Any])
    let query = try ToolRun(
      "query", library.url.path, "Book", "--where", "TRUEPREDICATE", "--json")
    let rows = try JSONSerialization.jsonObject(with: Data(query.output.utf8)) as? [[String: Any]]
    let row = try #require(rows?.first { $0["objectID"] as? String == "Book/p1" })
    #expect(row.count > 6)
    for (key, value) in row where key != "objectID" {
      let (one, other) = (value as? NSObject, values[key] as? NSObject)
      #expect(one == other, "\(key): \(value), \(String(describing: values[key]))")
      #expect(
        one is NSNumber == other is NSNumber && one is NSNull == other is NSNull, "\(key)")
    }
    #expect(values["tags"] is [String])
  }

  @Test func whatWasMadeIsSaid() throws {
    let library = try Library()
    let lines = library.folder.appendingPathComponent("a.jsonl").path
    let export = try ToolRun("export", library.url.path, lines, "--json")
    let report = try JSONSerialization.jsonObject(with: Data(export.output.utf8)) as? [String: Any]
    #expect(report?["objects"] as? Int == 6)
    #expect(report?["output"] as? String == lines)
    let folder = library.folder.appendingPathComponent("Classes")
    let codegen = try ToolRun(
      "codegen", library.modelURL.path, "--output", folder.path, "--json")
    let written = try JSONSerialization.jsonObject(with: Data(codegen.output.utf8))
    let files = (written as? [String: Any])?["files"] as? [String]
    #expect(
      try files?.sorted() == FileManager.default.contentsOfDirectory(atPath: folder.path).sorted())
  }
}
