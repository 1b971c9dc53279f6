import CoreDataSupport
import Foundation
import Testing

@testable import CoreData

/// A model of several versions in a folder `Things.xcdatamodeld`, and stores of them.
///
/// A version is written as `Thing: name String!, size Integer 64 = 3; Box: …`: entities, attributes with their types,
/// `!` for mandatory, a default; `#name` is a uniqueness constraint, `@name` a fetch index.
struct VersionFolder {
  let folder: URL
  let names: [String]

  var url: URL { folder.appendingPathComponent("Things.xcdatamodeld") }

  init(_ versions: [String]) throws {
    folder = try StoreFixture.makeFolder()
    names = versions.indices.map { "Things \($0 + 1)" }
    for (name, text) in zip(names, versions) {
      let version = url.appendingPathComponent("\(name).xcdatamodel")
      try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
      try Data(Self.document(text).utf8).write(to: version.appendingPathComponent("contents"))
    }
    let current = ["_XCCurrentVersionName": "\(try #require(names.last)).xcdatamodel"]
    try PropertyListSerialization.data(fromPropertyList: current, format: .xml, options: 0)
      .write(to: url.appendingPathComponent(".xccurrentversion"))
  }

  /// From 1.
  func model(_ number: Int) throws -> NSManagedObjectModel {
    try ModelPackage(url: url).model(version: names[number - 1])
  }

  /// A version by itself, in no folder.
  static func model(_ text: String) throws -> NSManagedObjectModel {
    try VersionFolder([text]).model(1)
  }

  var migrating: [AnyHashable: Any] {
    Self.migrating.merging([OpenCoreDataMigrationModelsOption: [url]]) { $1 }
  }

  static var migrating: [AnyHashable: Any] {
    [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true,
    ]
  }

  private static func document(_ text: String) -> String {
    let entities = text.split(separator: ";").map { entity(String($0)) }.joined(separator: "\n")
    return """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      \(entities)
      </model>
      """
  }

  private static func entity(_ text: String) -> String {
    let parts = text.split(separator: ":", maxSplits: 1).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    let words = parts.count < 2 ? [] : parts[1].components(separatedBy: ", ")
    let constraints = words.filter { $0.hasPrefix("#") }.map {
      "<uniquenessConstraint><constraint value=\"\($0.dropFirst())\"/></uniquenessConstraint>"
    }
    let indexes = words.filter { $0.hasPrefix("@") }.map {
      "<fetchIndex name=\"by\($0.dropFirst())\"><fetchIndexElement property=\"\($0.dropFirst())\" "
        + "type=\"Binary\" order=\"ascending\"/></fetchIndex>"
    }
    let attributes = words.filter { !$0.hasPrefix("#") && !$0.hasPrefix("@") }.map(attribute)
    return "<entity name=\"\(parts[0])\" syncable=\"YES\">"
      + (attributes + indexes).joined(separator: "\n")
      + (constraints.isEmpty
        ? "" : "<uniquenessConstraints>\(constraints.joined())</uniquenessConstraints>")
      + "</entity>"
  }

  private static func attribute(_ text: String) -> String {
    let sides = text.components(separatedBy: " = ")
    let isMandatory = sides[0].hasSuffix("!")
    let words = sides[0].trimmingCharacters(in: ["!"]).split(separator: " ", maxSplits: 1)
    let standard = sides.count > 1 ? " defaultValueString=\"\(sides[1])\"" : ""
    return "<attribute name=\"\(words[0])\" \(isMandatory ? "" : "optional=\"YES\"") "
      + "attributeType=\"\(words[1])\"\(standard)/>"
  }

  // MARK: - Stores

  /// Makes a store of the first version with objects of these values.
  func makeStore(
    _ kind: NSPersistentStore.StoreType, _ things: [[String: Any]], named name: String = "Store"
  ) throws -> URL {
    try Self.makeStore(kind, model(1), things, in: folder, named: name)
  }

  static func makeStore(
    _ kind: NSPersistentStore.StoreType, _ model: NSManagedObjectModel,
    _ things: [[String: Any]], in folder: URL? = nil, named name: String = "Store"
  ) throws -> URL {
    let folder = try folder ?? StoreFixture.makeFolder()
    let file = folder.appendingPathComponent("\(name).\(kind == .sqlite ? "sqlite" : "store")")
    let url = try StoreKind(rawValue: kind.rawValue)?.url(file) ?? file
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(type: kind, at: url)
    let context = coordinator.makeContext()
    try context.performAndWait {
      for values in things {
        let object = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
      }
      try context.save()
    }
    try coordinator.remove(store)
    return url
  }

  /// The values of a key of all things, sorted, as texts.
  static func values(
    _ key: String, _ url: URL, _ kind: NSPersistentStore.StoreType = .sqlite,
    _ model: NSManagedObjectModel
  ) throws -> [String] {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(type: kind, at: url)
    let context = coordinator.makeContext()
    let values = try context.performAndWait {
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
        .map { $0.value(forKey: key).map { "\($0)" } ?? "nil" }
    }
    try coordinator.remove(store)
    return values.sorted()
  }

  /// Every file of a folder but SQLite's shared memory, with its contents and the time of its last change.
  static func files(_ folder: URL) throws -> [String: String] {
    let manager = FileManager.default
    let names = try manager.subpathsOfDirectory(atPath: folder.path).filter {
      !$0.hasSuffix("-shm")
    }
    return Dictionary(
      uniqueKeysWithValues: names.map { name in
        let path = folder.path + "/" + name
        var status = stat()
        stat(path, &status)
        let time = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        let data = manager.contents(atPath: path) ?? Data()
        return (name, "\(time) \(data.base64EncodedString())")
      })
  }
}
