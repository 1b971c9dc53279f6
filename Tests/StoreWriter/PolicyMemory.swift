import CoreDataSupport
import Foundation

@testable import CoreData

/// What a migration by a policy takes at its peak: items in families of a hundred, of which each must have one.
enum PolicyMemory {
  static func model(isNext: Bool = false) -> NSManagedObjectModel {
    let (item, family) = (ModelPart.entity("Item"), ModelPart.entity("Family"))
    let (parent, items) = ModelPart.relate(item, "family", 1, family, "items", 0)
    parent.isOptional = false
    item.properties =
      [ModelPart.attribute("name"), parent] + (isNext ? [ModelPart.attribute("note")] : [])
    family.properties = [ModelPart.attribute("name"), items]
    return ModelPart.model([item, family])
  }

  /// So long that few rows fill the page caches of SQLite, which grow up to a size of their own.
  private static let padding = String(repeating: "name ", count: 80)

  /// A store of the first version with `count` items; closed.
  static func make(_ url: URL, count: Int) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
    let context = coordinator.makeContext()
    for start in stride(from: 0, to: count, by: 1000) {
      try context.performAndWait {
        for number in start..<min(start + 1000, count) where number % 100 == 0 {
          let family = context.insert("Family", ["name": "family \(number)"])
          for member in number..<min(number + 100, count) {
            context.insert("Item", ["name": "\(padding)\(member)", "family": family])
          }
        }
        try context.save()
        context.reset()
      }
    }
    try coordinator.remove(store)
  }

  /// Migrates a store with a policy for each entity. Returns by how much the resident set was larger at its peak than
  /// before, in bytes.
  static func migrate(_ url: URL) throws -> Int {
    let (source, destination) = (model(), model(isNext: true))
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: source, destinationModel: destination)
    mapping.isInferred = false
    for entity in mapping.entityMappings {
      entity.entityMigrationPolicyClassName = NSStringFromClass(WriterPolicy.self)
    }
    // The peak counts from here; where the system refuses, from the start of the process.
    try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    let before = try status("VmRSS")
    try StoreMigration(
      url: url, type: NSSQLiteStoreType, configuration: nil, options: [:],
      destination: destination, route: .init(source: source, mapping: mapping)
    ).run()
    return try status("VmHWM") - before
  }

  /// A line of /proc/self/status, in bytes.
  private static func status(_ field: String) throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix(field + ":") } ?? ""
    return (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
  }
}
