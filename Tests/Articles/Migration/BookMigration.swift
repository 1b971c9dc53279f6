import CoreData
import Foundation

// The code of the article on migration, word for word.

enum BookVersions {
  static let first = version("BookCollection")
  static let second = version("BookCollection 2")
  static let third = version("BookCollection 3")

  private static func version(_ name: String) -> NSManagedObjectModel {
    let url = Bundle.module.url(
      forResource: name, withExtension: "mom", subdirectory: "BookCollection.momd")
    return NSManagedObjectModel(contentsOf: url!)!
  }
}

func openBooks(
  at url: URL, _ model: NSManagedObjectModel, stages: NSStagedMigrationManager? = nil
) throws -> NSPersistentContainer {
  let container = NSPersistentContainer(name: "BookCollection", managedObjectModel: model)
  let description = NSPersistentStoreDescription(url: url)
  if let stages {
    description.setOption(stages, forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
  }
  container.persistentStoreDescriptions = [description]
  var failure: (any Error)?
  container.loadPersistentStores { _, error in failure = error }
  if let failure { throw failure }
  return container
}

func makeAuthors(in container: NSPersistentContainer) throws {
  let context = container.newBackgroundContext()
  try context.performAndWait {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    request.predicate = NSPredicate(format: "writer == nil")
    var authors: [String: NSManagedObject] = [:]
    for author in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author")) {
      authors[author.value(forKey: "name") as? String ?? ""] = author
    }
    for book in try context.fetch(request) {
      let name = book.value(forKey: "author") as? String ?? ""
      let author =
        authors[name]
        ?? NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
      author.setValue(name, forKey: "name")
      book.setValue(author, forKey: "writer")
      authors[name] = author
    }
    try context.save()
  }
}

func bookStages() -> NSStagedMigrationManager {
  func reference(_ model: NSManagedObjectModel) -> NSManagedObjectModelReference {
    NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
  }
  let inferred = NSLightweightMigrationStage([BookVersions.first.versionChecksum])
  let authors = NSCustomMigrationStage(
    migratingFrom: reference(BookVersions.second), to: reference(BookVersions.third))
  authors.willMigrateHandler = { manager, _ in
    if let container = manager.container { try makeAuthors(in: container) }
  }
  return NSStagedMigrationManager([inferred, authors])
}

class AuthorPolicy: NSEntityMigrationPolicy {
  private var authors: [String: NSManagedObject] = [:]

  override func createRelationships(
    forDestination book: NSManagedObject, in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    let source = manager.sourceInstances(
      forEntityMappingName: mapping.name, destinationInstances: [book])
    guard let name = source.first?.value(forKey: "author") as? String else { return }
    let author =
      authors[name]
      ?? NSEntityDescription.insertNewObject(
        forEntityName: "Author", into: manager.destinationContext)
    author.setValue(name, forKey: "name")
    book.setValue(author, forKey: "writer")
    authors[name] = author
  }
}

func bookMapping(from source: NSManagedObjectModel) throws -> NSMappingModel {
  let model = try NSMappingModel.inferredMappingModel(
    forSourceModel: source, destinationModel: BookVersions.third)
  for mapping in model.entityMappings where mapping.destinationEntityName == "Book" {
    mapping.mappingType = .customEntityMappingType
    mapping.entityMigrationPolicyClassName = NSStringFromClass(AuthorPolicy.self)
  }
  return model
}

func copyBooks(at url: URL, from source: NSManagedObjectModel, to copy: URL) throws {
  let manager = NSMigrationManager(
    sourceModel: source, destinationModel: BookVersions.third)
  try manager.migrateStore(
    from: url, type: .sqlite, mapping: bookMapping(from: source), to: copy, type: .sqlite)
}
