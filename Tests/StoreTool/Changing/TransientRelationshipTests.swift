import CoreData
import CoreDataSupport
import Foundation
import PostgreSQLServer
import StoreTool
import Testing
import TestSupport

/// Stores of a model with transient relationships of every kind: what the command changes, exports, moves and takes back
/// is what the store has.
struct TransientRelationshipTests {
  @Test(arguments: LibraryKind.all)
  func anEditIsTakenBack(_ kind: LibraryKind) throws {
    let store = try TransientStore(kind)
    let before = try store.contents()
    let check = try store.run("check")
    #expect(check.status == 0 && check.output.contains("ok"), "\(check.output)\(check.errors)")
    let edit = try store.run("set", ["Message", "--where", "name == 'Message0'", "note=new"])
    #expect(edit.status == 0 && edit.output.contains("→ new"), "\(edit.output)\(edit.errors)")
    #expect(try store.contents() == before.map { $0 == "Message0 note" ? "Message0 note new" : $0 })
    let undo = try store.run("undo")
    #expect(undo.status == 0 && undo.output.contains("Saved 1"), "\(undo.output)\(undo.errors)")
    #expect(undo.errors == "")
    #expect(try store.contents() == before)
    #expect(try store.run("undo").status == 66)
  }

  @Test(arguments: LibraryKind.all)
  func aDeletionIsTakenBack(_ kind: LibraryKind) throws {
    let store = try TransientStore(kind)
    let before = try store.contents()
    let delete = try store.run("delete", ["Client", "--where", "name == 'Client1'"])
    #expect(delete.status == 0 && delete.errors == "", "\(delete.output)\(delete.errors)")
    #expect(try store.contents().count < before.count)
    let undo = try store.run("undo")
    #expect(undo.status == 0 && undo.errors == "", "\(undo.output)\(undo.errors)")
    #expect(try store.contents() == before)
  }

  @Test(arguments: LibraryKind.all, ExchangeFormat.allCases)
  func anExportHasNothingOfThem(_ kind: LibraryKind, _ format: ExchangeFormat) throws {
    let store = try TransientStore(kind)
    let place = store.folder.appendingPathComponent("Export")
    let export = try store.run("export", [place.path, "--format", format.rawValue])
    #expect(export.status == 0, "\(export.errors)")
    #expect(export.output.contains("Exported 6 objects"), "\(export.output)")
    let isFolder = format == .csv
    let files = isFolder ? try FileManager.default.subpathsOfDirectory(atPath: place.path) : [""]
    let text = try files.map {
      try String(contentsOf: isFolder ? place.appendingPathComponent($0) : place, encoding: .utf8)
    }.joined()
    for name in TransientStore.transientNames {
      let mention = try Regex("\(name)(?!Back)")
      #expect(text.firstMatch(of: mention) == nil, "\(name)")
    }
    guard format != .sql else { return }
    let copy = try TransientStore(kind, isEmpty: true)
    let read = try copy.run("import", [place.path])
    #expect(read.status == 0 && read.output.contains("Saved 6"), "\(read.output)\(read.errors)")
    #expect(try copy.contents() == store.contents())
  }

  @Test(arguments: LibraryKind.all, LibraryKind.all)
  func aStoreMovesIntoAnotherForm(_ kind: LibraryKind, _ newKind: LibraryKind) throws {
    let store = try TransientStore(kind)
    let place = try newKind.place(in: store.folder)
    let move = try store.run("migrate", ["--into", place])
    #expect(move.status == 0, "\(move.errors)")
    let copy = try TransientStore(of: store, newKind, at: place)
    #expect(try copy.contents() == store.contents())
    let check = try copy.run("check")
    #expect(check.status == 0 && check.output.contains("ok"), "\(check.output)\(check.errors)")
  }

  @Test(arguments: LibraryKind.all)
  func objectsAreShownWithoutMembers(_ kind: LibraryKind) throws {
    let store = try TransientStore(kind)
    let query = try store.run("query", ["Message", "--columns", "objectID", "--format", "csv"])
    let names = query.output.split(whereSeparator: \.isNewline).dropFirst().map {
      $0.trimmingCharacters(in: ["\""])
    }
    #expect(names.count == 3, "\(query.output)\(query.errors)")
    for name in names {
      let get = try store.run("get", [String(name)])
      #expect(get.status == 0 && get.errors == "", "\(name): \(get.output)\(get.errors)")
      #expect(get.output.contains("note"), "\(get.output)")
    }
  }
}

/// Three clients and three messages, with a transient relationship from messages to clients of each kind: with each kind
/// of inverse, transient or stored, and with none.
private final class TransientStore {
  private static let sides = ["one", "many", "ordered"]

  /// A transient relationship, and whether its inverse is stored.
  private struct Pair {
    let name: String
    let side: String
    let inverseSide: String?
    let isInverseStored: Bool
  }

  private static let pairs: [Pair] = sides.flatMap { side in
    [Pair(name: "\(side)Alone", side: side, inverseSide: nil, isInverseStored: false)]
      + sides.flatMap { inverse in
        [false, true].map { isStored in
          Pair(
            name: "\(side)\(isStored ? "Stored" : "Transient")\(inverse)",
            side: side, inverseSide: inverse, isInverseStored: isStored)
        }
      }
  }

  /// Of all, and of inverses that are transient too.
  static var transientNames: [String] {
    pairs.map(\.name)
      + pairs.filter { $0.inverseSide != nil && !$0.isInverseStored }.map { "\($0.name)Back" }
  }

  let folder: URL
  private let kind: LibraryKind
  private let url: URL
  private let modelURL: URL

  init(_ kind: LibraryKind, isEmpty: Bool = false) throws {
    self.kind = kind
    folder = try TestFolder.make()
    let file = folder.appendingPathComponent("Store.\(kind.rawValue.lowercased())")
    url = kind == .server ? try PostgreSQLServer.url(insteadOf: file) : file
    modelURL = folder.appendingPathComponent("Model.xcdatamodeld")
    try Self.model().write(to: modelURL)
    try withContext { context in
      if isEmpty { return }
      Self.fill(context)
      try context.save()
    }
  }

  /// Another store with the same model.
  init(of other: TransientStore, _ kind: LibraryKind, at place: String) throws {
    self.kind = kind
    folder = other.folder
    modelURL = other.modelURL
    url = kind == .server ? try #require(URL(string: place)) : URL(fileURLWithPath: place)
  }

  func run(_ command: String, _ arguments: [String] = []) throws -> ToolRun {
    let address = url.isFileURL ? url.path : url.absoluteString
    let model = kind.isDatabase ? [] : ["--model", modelURL.path]
    return try ToolRun(
      [command, address] + arguments + model, environment: ["XDG_STATE_HOME": folder.path])
  }

  private func withContext<Result>(
    _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
    let store = try coordinator.addPersistentStore(
      ofType: kind.rawValue, configurationName: nil, at: url)
    let context = coordinator.makeContext()
    let result = try context.performAndWait { try body(context) }
    try coordinator.remove(store)
    return result
  }

  /// What the store has, by the names of its objects: a line for each value.
  func contents() throws -> [String] {
    try withContext { context in
      try ["Client", "Message"].flatMap { entity in
        let objects = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
        return objects.flatMap { object -> [String] in
          let name = object.value(forKey: "name") ?? ""
          let note = object.value(forKey: "note").map { " \($0)" } ?? ""
          return ["\(name) note\(note)"]
            + object.entity.relationshipsByName.values.flatMap { relationship in
              Self.members(of: object, relationship).map { "\(name) \(relationship.name) \($0)" }
            }
        }
      }.sorted()
    }
  }

  /// A text for all of an ordered relationship, one for each member of the others.
  private static func members(
    of object: NSManagedObject, _ relationship: NSRelationshipDescription
  ) -> [String] {
    func name(_ member: Any) -> String {
      (member as? NSManagedObject)?.value(forKey: "name") as? String ?? "?"
    }
    return switch object.value(forKey: relationship.name) {
    case let set as NSOrderedSet where set.count > 0: ["\(set.array.map(name))"]
    case let set as NSSet: set.allObjects.map(name)
    case let member as NSManagedObject: [name(member)]
    default: []
    }
  }

  // MARK: - The model

  private static func model() -> NSManagedObjectModel {
    let (client, message) = (ModelPart.entity("Client"), ModelPart.entity("Message"))
    let sender = relationship("sender", to: client, "one")
    let sent = relationship("sent", to: message, "many")
    ModelPart.connect(sender, sent)
    var (ofClient, ofMessage) = (attributes + [sent], attributes + [sender])
    for pair in pairs {
      let forward = relationship(pair.name, to: client, pair.side)
      forward.isTransient = true
      ofMessage.append(forward)
      guard let side = pair.inverseSide else { continue }
      let back = relationship("\(pair.name)Back", to: message, side)
      back.isTransient = !pair.isInverseStored
      ModelPart.connect(forward, back)
      ofClient.append(back)
    }
    (client.properties, message.properties) = (ofClient, ofMessage)
    return ModelPart.model([client, message])
  }

  private static func relationship(
    _ name: String, to destination: NSEntityDescription, _ side: String
  ) -> NSRelationshipDescription {
    ModelPart.relationship(
      name, to: destination, maxCount: side == "one" ? 1 : 0, isOrdered: side == "ordered")
  }

  private static var attributes: [NSPropertyDescription] {
    ["name", "note"].map { ModelPart.attribute($0) }
  }

  /// Every relationship is set: what is transient is gone with the context.
  private static func fill(_ context: NSManagedObjectContext) {
    let objects = ["Client", "Message"].map { entity in
      (0..<3).map { number in
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        object.setValue("\(entity)\(number)", forKey: "name")
        return object
      }
    }
    let (clients, messages) = (objects[0], objects[1])
    for (client, message) in zip(clients, messages) { message.setValue(client, forKey: "sender") }
    for pair in pairs {
      switch pair.side {
      case "one": messages[0].setValue(clients[1], forKey: pair.name)
      case "many": messages[0].setValue(NSSet(array: [clients[2], clients[1]]), forKey: pair.name)
      default:
        messages[0].setValue(NSOrderedSet(array: [clients[2], clients[1]]), forKey: pair.name)
      }
    }
  }
}
