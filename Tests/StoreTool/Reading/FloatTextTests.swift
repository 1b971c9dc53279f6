import CoreData
import Foundation
import StoreTool
import TestSupport
import Testing

/// A Float is printed with the digits that it has, not with those of the double in its column.
struct FloatTextTests {
  private static let forms = [
    ["query", "Thing", "--format", "csv"], ["query", "Thing", "--format", "ndjson"],
    ["query", "Thing", "--format", "json"], ["query", "Thing", "--format", "table"],
    ["query", "Thing", "--format", "markdown"],
    ["get", "Thing/p1"], ["get", "Thing/p1", "--json"], ["export", "-"],
    ["export", "-", "--format", "sql"],
  ]

  @Test(arguments: ["Things.sqlite", "Things.xml", "Things.binary"])
  func everyCommandPrintsTheSameDigits(name: String) throws {
    let folder = try TestFolder.make()
    let store = folder.appendingPathComponent(name).path
    let model = folder.appendingPathComponent("Things.xcdatamodeld").path
    for words in [
      ["new"], ["add", "entity", "Thing"], ["add", "attribute", "Thing.size", "Float"],
    ] {
      #expect(try ToolRun(["model", words[0], model] + words.dropFirst()).status == 0)
    }
    #expect(try ToolRun("new", model, store).status == 0)
    let insert = ["insert", store, "Thing", "size=13.3", "--no-backup", "--model", model]
    #expect(try ToolRun(insert).status == 0)
    for form in Self.forms {
      let run = try ToolRun([form[0], store] + form.dropFirst() + ["--model", model])
      #expect(run.status == 0, "\(form): \(run.errors)")
      #expect(
        run.output.contains("13.3") && !run.output.contains("13.30"), "\(form): \(run.output)")
    }
    let out = folder.appendingPathComponent("out").path
    #expect(try ToolRun("export", store, out, "--format", "csv", "--model", model).status == 0)
    let text = try String(contentsOfFile: out + "/Thing.csv", encoding: .utf8)
    #expect(text.contains("13.3") && !text.contains("13.30"))
  }
}
