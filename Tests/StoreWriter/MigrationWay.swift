import CoreDataSupport
import Foundation

@testable import CoreData

/// The ways in which a store comes from ``WriterModel`` to a next version.
enum MigrationWay: String, CaseIterable, Sendable {
  /// In place: a column is added.
  case add
  /// In place: tables are made anew.
  case rebuild
  /// In place: what can wait is left for later.
  case deferred
  /// In place, in a store that keeps a journal for taking back in place of a log.
  case journal
  /// Row by row into a new file.
  case rows
  /// Object by object into a new file, with a policy of the program's.
  case objects
  /// In stages, with code between them.
  case staged
  /// Over a version in between: in place on a copy, then row by row.
  case chain
  /// Stores of one file, row by row and with a policy.
  case xml, binary, xmlObjects, binaryObjects

  var type: String {
    switch self {
    case .xml, .xmlObjects: NSXMLStoreType
    case .binary, .binaryObjects: NSBinaryStoreType
    default: NSSQLiteStoreType
    }
  }

  var isSQLite: Bool { type == NSSQLiteStoreType }

  var fileName: String { "Store.\(type.lowercased())" }

  var destination: NSManagedObjectModel {
    if self == .chain { return MigrationChain.destination() }
    let model = self == .add ? WriterModel.make() : MigratedModel.make()
    switch self {
    case .add:
      model.entitiesByName["Note"]?.properties.append(MigratedModel.stars())
    case .staged:
      let signature = Self.signature()
      // Nobody but the code between the stages can have set it.
      signature.isOptional = false
      model.entitiesByName["Note"]?.properties.append(signature)
    default: break
    }
    return model
  }

  private static func signature() -> NSAttributeDescription {
    let signature = NSAttributeDescription()
    signature.name = "signature"
    signature.attributeType = .stringAttributeType
    return signature
  }

  // MARK: - Stores

  /// A store of the first version with `count` notes, of which every fifth has a photo of `photo` bytes; closed.
  func make(_ url: URL, count: Int, photo: Int) throws {
    if self == .chain { try MigrationChain(url).write() }
    let coordinator = try open(url, WriterModel.make(), options)
    let context = WriterModel.context(coordinator, author: "first")
    try context.performAndWait {
      for number in 0..<count {
        var values: [String: Any] = [
          "code": "\(number)", "text": "text \(number)", "writer": "writer \(number)",
        ]
        if number % 5 == 0 {
          values["photo"] = Data(repeating: UInt8(number % 256), count: photo)
        }
        context.insert("Note", values)
      }
      context.insert("Counter", ["number": 7])
      try context.save()
    }
    try coordinator.removeStores()
  }

  private var options: [AnyHashable: Any] {
    guard isSQLite else { return [:] }
    var options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
    if self == .journal { options[NSSQLitePragmasOption] = ["journal_mode": "DELETE"] }
    return options
  }

  private func open(
    _ url: URL, _ model: NSManagedObjectModel, _ options: [AnyHashable: Any]
  ) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: url, options: options)
    return coordinator
  }

  /// Opens a store of either version as the next one.
  func migrate(
    _ url: URL, options extra: [AnyHashable: Any] = [:]
  ) throws -> NSPersistentStoreCoordinator {
    var options = self.options.merging(extra) { $1 }
    options[NSMigratePersistentStoresAutomaticallyOption] = true
    options[NSInferMappingModelAutomaticallyOption] = true
    switch self {
    case .add, .rebuild, .journal: break
    case .deferred: options[NSPersistentStoreDeferredLightweightMigrationOptionKey] = true
    case .staged:
      options[NSPersistentStoreStagedMigrationManagerOptionKey] = Self.stages(destination)
    case .chain: options[OpenCoreDataMigrationModelsOption] = MigrationChain(url).files
    case .rows, .xml, .binary: try migrate(url, options, by: mapping())
    case .objects, .xmlObjects, .binaryObjects:
      let mapping = try mapping()
      for entity in mapping.entityMappings {
        entity.entityMigrationPolicyClassName = NSStringFromClass(WriterPolicy.self)
      }
      try migrate(url, options, by: mapping)
    }
    return try open(url, destination, options)
  }

  private func mapping() throws -> NSMappingModel {
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: WriterModel.make(), destinationModel: destination)
    mapping.isInferred = false
    return mapping
  }

  /// As with a mapping model of a bundle.
  private func migrate(
    _ url: URL, _ options: [AnyHashable: Any], by mapping: NSMappingModel
  ) throws {
    try StoreMigration(
      url: url, type: type, configuration: nil, options: options, destination: destination,
      route: .init(source: WriterModel.make(), mapping: mapping)
    ).run()
  }

  private static func stages(_ destination: NSManagedObjectModel) -> NSStagedMigrationManager {
    let source = WriterModel.make()
    let middle = WriterModel.make()
    middle.entitiesByName["Note"]?.properties.append(signature())
    let stage = NSCustomMigrationStage(
      migratingFrom: .init(model: source, versionChecksum: source.versionChecksum),
      to: .init(model: middle, versionChecksum: middle.versionChecksum))
    stage.didMigrateHandler = { manager, _ in
      guard let context = manager.container?.newBackgroundContext() else { return }
      // Half by half, as code does that has many objects.
      for half in 0...1 {
        try context.performAndWait {
          let notes = try context.all("Note", sortedBy: "code")
          for (index, note) in notes.enumerated() where index % 2 == half {
            note.setValue("by \(note.value(forKey: "writer") ?? "")", forKey: "signature")
          }
          try context.save()
        }
      }
    }
    return NSStagedMigrationManager([
      stage, NSLightweightMigrationStage([destination.versionChecksum]),
    ])
  }

  // MARK: - Contents

  /// Whether a store is of the next version.
  func isMigrated(_ url: URL) throws -> Bool {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: type, at: url)
    return destination.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
  }

  /// What a store has, of either version, a line for each object; it is only read.
  func contents(_ url: URL) throws -> [String] {
    let model = try isMigrated(url) ? destination : WriterModel.make()
    let coordinator = try open(url, model, [NSReadOnlyPersistentStoreOption: true])
    let context = WriterModel.context(coordinator, author: "check")
    let lines = try context.performAndWait {
      try model.entities.flatMap { entity in
        try context.all(entity.name ?? "", sortedBy: entity.name == "Note" ? "code" : "number")
          .map { Self.line($0) }
      }
    }
    try coordinator.removeStores()
    return lines.sorted()
  }

  private static func line(_ object: NSManagedObject) -> String {
    let values = object.entity.attributesByName.keys.sorted().map { key in
      let value = object.value(forKey: key)
      let photo = (value as? Data).map { "\($0.count) × \($0.first ?? 0)" }
      return "\(key)=\(photo ?? value.map { "\($0)" } ?? "nil")"
    }
    return "\(object.entity.name ?? ""): \(values.joined(separator: " "))"
  }

  /// What the next version should have of a store as ``make(_:count:photo:)`` leaves it.
  func expectedContents(count: Int, photo: Int) -> [String] {
    let notes = (0..<count).map { number in
      let image = number % 5 == 0 ? "\(photo) × \(number % 256)" : "nil"
      let start = "Note: "
      return switch self {
      case .add:
        start + "code=\(number) photo=\(image) stars=3 text=text \(number) writer=writer \(number)"
      case .staged:
        start + "body=text \(number) code=\(number) photo=\(image) signature=by writer \(number) "
          + "stars=3"
      case .chain: start + "body=text \(number) code=\(number) photo=\(image) stars=3 writer=nil"
      default: start + "body=text \(number) code=\(number) photo=\(image) stars=3"
      }
    }
    let counter = "\(self == .add ? "Counter" : "Tally"): first=0 number=7 second=0 shared=0"
    return (notes + [counter]).sorted()
  }
}

/// Does nothing of its own, and has all objects made.
final class WriterPolicy: NSEntityMigrationPolicy {}
