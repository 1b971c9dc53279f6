import CoreData
import Foundation
import StoreTool
import TestSupport
import Testing

/// Uniqueness constraints over attributes of every type, also those whose contents SQL cannot
/// compare, as an emulator of consoles has one over a transformable attribute.
struct UniqueTypesTests {
  private static let values: [(type: NSAttributeType, first: String, second: String)] = [
    (.stringAttributeType, "\"a\"", "\"b\""), (.integer16AttributeType, "1", "2"),
    (.integer32AttributeType, "1", "2"), (.integer64AttributeType, "1", "2"),
    (.doubleAttributeType, "\"1.5\"", "\"2.5\""), (.floatAttributeType, "\"1.5\"", "\"2.5\""),
    (.decimalAttributeType, "\"1.5\"", "\"2.5\""), (.booleanAttributeType, "true", "false"),
    (.dateAttributeType, "\"2020-01-02T03:04:05Z\"", "\"2021-01-02T03:04:05Z\""),
    (
      .UUIDAttributeType, "\"0D0F9330-BC37-4AF2-A5EC-B105F29B99BC\"",
      "\"1D0F9330-BC37-4AF2-A5EC-B105F29B99BC\""
    ),
    (.URIAttributeType, "\"https://example.org/a\"", "\"https://example.org/b\""),
    (.binaryDataAttributeType, "\"AAEC\"", "\"AAED\""),
    (.transformableAttributeType, "\"AAEC\"", "\"AAED\""),
  ]

  @Test(arguments: values.indices)
  func everyTypeIsComparedByImports(index: Int) throws {
    let (type, first, second) = Self.values[index]
    let folder = try TestFolder.make()
    let thing = NSEntityDescription()
    thing.name = "Thing"
    thing.properties = [("name", NSAttributeType.stringAttributeType), ("kind", type)].map {
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType, attribute.isOptional) = ($0, $1, true)
      return attribute
    }
    thing.uniquenessConstraints = [["name", "kind"]]
    let model = NSManagedObjectModel()
    model.entities = [thing]
    let place = folder.appendingPathComponent("Things.xcdatamodeld")
    try model.write(to: place)
    let store = folder.appendingPathComponent("Things.sqlite").path
    #expect(try ToolRun("new", place.path, store).status == 0)
    let file = folder.appendingPathComponent("things.jsonl")
    let lines = [first, second].enumerated().map {
      #"{"$entity":"Thing","$id":"Thing/p\#($0 + 1)","name":"n","kind":\#($1)}"#
    }
    try Data(lines.joined(separator: "\n").utf8).write(to: file)
    let imported = try ToolRun("import", store, file.path, "--no-backup")
    #expect(imported.status == 0, "\(imported.errors)")
    // The same ones again are the ones that are there, or duplicates.
    let again = try ToolRun("import", store, file.path, "--no-backup")
    #expect(again.status == 65, "\(again.output)")
    #expect(again.errors.contains("same value of name and kind"), "\(again.errors)")
    let merged = try ToolRun("import", store, file.path, "--merge", "--no-backup")
    #expect(merged.status == 0, "\(merged.errors)")
    let rows = try ToolRun("query", store, "Thing", "--columns", "name", "--format", "ndjson")
    #expect(rows.output.split(separator: "\n").count == 2, "\(rows.output)")
  }
}
