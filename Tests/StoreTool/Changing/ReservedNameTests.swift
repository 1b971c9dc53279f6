import CoreData
import CoreDataSupport
import Foundation
import StoreTool
import Testing
import TestSupport

/// Properties and entities called as SQL, JSON, CSV, Swift or this command call something: nothing of them is lost on the
/// way out and in.
struct ReservedNameTests {
  /// Words of SQL, of formats, of Swift and of this command.
  private static let words = [
    "id", "entity", "objectID", "order", "index", "to", "from", "values", "group", "select",
    "where", "default", "primary", "key", "table", "member", "position", "missing", "null", "self",
    "class", "func", "init", "name", "Name", "rowid",
  ]
  /// What no attribute may be called, by Core Data's own rules.
  private static let attributes = words.filter { !["objectID", "self", "entity"].contains($0) }

  private struct Words {
    let folder: URL
    let url: URL

    init(isEmpty: Bool) throws {
      folder = try TestFolder.make()
      url = folder.appendingPathComponent("Words.sqlite")
      let model = Self.model()
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
      if !isEmpty { try Self.fill(coordinator) }
      try coordinator.remove(store)
    }

    private static func fill(_ coordinator: NSPersistentStoreCoordinator) throws {
      let context = coordinator.makeContext()
      try context.performAndWait {
        for number in 0..<3 {
          var former: NSManagedObject?
          for word in ["Group", "Order", "Values"] {
            let object = NSEntityDescription.insertNewObject(forEntityName: word, into: context)
            for (place, name) in attributes.enumerated() {
              object.setValue("\(name) \(number)'\"\n,\(place)", forKey: name)
            }
            if let former { object.setValue(former, forKey: "reference") }
            former = object
          }
        }
        try context.save()
      }
    }

    static func model() -> NSManagedObjectModel {
      let entities = ["Group", "Order", "Values"].map { name in
        let entity = NSEntityDescription()
        entity.name = name
        return entity
      }
      for (index, entity) in entities.enumerated() {
        let (one, many) = (NSRelationshipDescription(), NSRelationshipDescription())
        one.name = "reference"
        one.maxCount = 1
        one.destinationEntity = entities[(index + 2) % 3]
        many.name = "references"
        many.destinationEntity = entities[(index + 1) % 3]
        entity.properties =
          attributes.map { word in
            let attribute = NSAttributeDescription()
            attribute.name = word
            attribute.attributeType = .stringAttributeType
            return attribute
          } + [one, many]
      }
      for (index, entity) in entities.enumerated() {
        let (one, many) = (
          entity.relationshipsByName["reference"],
          entities[(index + 2) % 3].relationshipsByName["references"]
        )
        one?.inverseRelationship = many
        many?.inverseRelationship = one
      }
      let model = NSManagedObjectModel()
      model.entities = entities
      return model
    }

    func values() throws -> [String] {
      let store = try OpenedStore(StoreRequest(store: url))
      defer { store.close() }
      return try store.withContext { context in
        try ["Group", "Order", "Values"].flatMap { name in
          try context.fetch(NSFetchRequest<NSManagedObject>(entityName: name)).map { object in
            let own = attributes.map { object.value(forKey: $0) as? String ?? "nil" }
            let reference = object.value(forKey: "reference") as? NSManagedObject
            return ([name] + own + [reference?.value(forKey: "id") as? String ?? "nil"])
              .joined(separator: "|")
          }.sorted()
        }
      }
    }
  }

  @Test(arguments: [ExchangeFormat.csv, .jsonl])
  func whatIsExportedIsTheSameWhenItIsImported(_ format: ExchangeFormat) throws {
    let (source, target) = (try Words(isEmpty: false), try Words(isEmpty: true))
    let file = source.folder.appendingPathComponent("Export")
    let export = try ToolRun("export", source.url.path, file.path, "--format", format.rawValue)
    #expect(export.status == 0, "\(export.errors)")
    let run = try ToolRun("import", target.url.path, file.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try target.values() == source.values())
  }

  /// Every parser keeps both the object's identity and the attribute.
  @Test func noLineHasAKeyTwice() throws {
    let source = try Words(isEmpty: false)
    let run = try ToolRun("export", source.url.path, "-")
    #expect(run.status == 0, "\(run.errors)")
    for line in run.output.split(separator: "\n") {
      let value = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let keys = Self.attributes + ["$id", "$entity"]
      #expect(keys.allSatisfy { value[$0] is String }, "\(line)")
    }
    #expect(run.output.split(separator: "\n").count == 9)
  }

  @Test func theDumpIsReadBySQLite() throws {
    let source = try Words(isEmpty: false)
    let run = try ToolRun("export", source.url.path, "/dev/stdout", "--format", "sql")
    #expect(run.status == 0, "\(run.errors)")
    let database = source.folder.appendingPathComponent("Dump.sqlite")
    let dump = source.folder.appendingPathComponent("Dump.sql")
    try Data(run.output.utf8).write(to: dump)
    #expect(try shell(database, ".read \(dump.path)") == "")
    #expect(try shell(database, "SELECT count(*) FROM \"Order\"") == "3\n")
    #expect(
      try shell(database, "SELECT \"id\" FROM \"Group\" ORDER BY \"$id\" LIMIT 1")
        == "id 0'\"\n,0\n")
    #expect(try shell(database, "SELECT count(*) FROM \"Group.references\"") == "3\n")
  }

  /// What SQLite's own shell answers.
  private func shell(_ database: URL, _ words: String) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", database.path, words]
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self)
  }

  /// Files of the former form are read where it is clear what they mean, and refused where it is not.
  @Test(arguments: [
    (#"{"entity":"Group","id":"a","order":"1"}"#, 65), (#"{"entity":"Group","order":"1"}"#, 0),
    (#"{"$entity":"Group","$id":"a","id":"7"}"#, 0), (#"{"$entity":"Group","id":"7"}"#, 0),
  ])
  func theFormerFormIsReadWhereItIsClear(_ line: String, _ status: Int) throws {
    let target = try Words(isEmpty: true)
    let file = target.folder.appendingPathComponent("In.jsonl")
    try Data(line.utf8).write(to: file)
    let run = try ToolRun("import", target.url.path, file.path)
    #expect(Int(run.status) == status, "\(run.errors)")
    #expect(try target.values().count == (status == 0 ? 1 : 0))
    if status != 0 { #expect(run.errors.contains("$id"), "\(run.errors)") }
  }

  @Test func theFormerFormOfAModelWithoutSuchNamesIsRead() throws {
    let library = try Library()
    let file = library.folder.appendingPathComponent("In.jsonl")
    let lines = [
      #"{"entity":"Author","id":"a","name":"New","books":["b"]}"#,
      #"{"entity":"Book","id":"b","title":"One"}"#,
    ]
    try Data(lines.joined(separator: "\n").utf8).write(to: file)
    let run = try ToolRun("import", library.url.path, file.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try library.lines("Book") { $0.condition = "author.name == 'New'" }.count == 1)
  }
}
