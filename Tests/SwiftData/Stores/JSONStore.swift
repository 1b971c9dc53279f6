import Foundation
import SwiftData

/// Where a store in JSON is, and what it is called.
struct JSONStoreConfiguration: DataStoreConfiguration {
  typealias Store = JSONStore

  var name: String
  var schema: Schema?
  var url: URL
}

/// Keeps all models in one file of JSON.
final class JSONStore: DataStore {
  typealias Configuration = JSONStoreConfiguration
  typealias Snapshot = DefaultSnapshot

  let configuration: JSONStoreConfiguration
  let schema: Schema
  let identifier: String

  init(_ configuration: JSONStoreConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?)
    throws
  {
    self.configuration = configuration
    schema = configuration.schema ?? Schema()
    identifier = configuration.name
  }

  // MARK: - Reading

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    // The context filters and sorts: it asks again, for all models of the class.
    if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
    if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
    let models = try read().models
    let names = names(of: schema.entity(for: T.self))
    let found = models.filter { names.contains($0.persistentIdentifier.entityName) }
      .dropFirst(request.descriptor.fetchOffset ?? 0)
      .prefix(request.descriptor.fetchLimit ?? .max)
    return DataStoreFetchResult(
      descriptor: request.descriptor, fetchedSnapshots: Array(found),
      relatedSnapshots: Dictionary(models.map { ($0.persistentIdentifier, $0) }) { $1 })
  }

  /// A class and those that inherit from it.
  private func names(of entity: Schema.Entity?) -> Set<String> {
    guard let entity else { return [] }
    return entity.subentities.reduce(into: [entity.name]) { $0.formUnion(names(of: $1)) }
  }

  // MARK: - Writing

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    var contents = try read()
    // All new identifiers first: models may lead to each other.
    var identifiers: [PersistentIdentifier: PersistentIdentifier] = [:]
    for snapshot in request.inserted {
      contents.lastKey += 1
      identifiers[snapshot.persistentIdentifier] = try .identifier(
        for: identifier, entityName: snapshot.persistentIdentifier.entityName,
        primaryKey: contents.lastKey)
    }
    let changed = (request.inserted + request.updated).map { snapshot in
      let identifier = snapshot.persistentIdentifier
      return snapshot.copy(
        persistentIdentifier: identifiers[identifier] ?? identifier,
        remappedIdentifiers: identifiers)
    }
    let gone = Set((request.updated + request.deleted).map(\.persistentIdentifier))
    contents.models.removeAll { gone.contains($0.persistentIdentifier) }
    contents.models += changed
    contents.models.sort { $0.persistentIdentifier < $1.persistentIdentifier }
    try JSONEncoder().encode(contents).write(to: configuration.url, options: .atomic)
    return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: identifiers)
  }

  func erase() throws { try FileManager.default.removeItem(at: configuration.url) }

  // MARK: - The file

  private struct Contents: Codable {
    var lastKey = 0
    var models: [DefaultSnapshot] = []
  }

  private func read() throws -> Contents {
    guard FileManager.default.fileExists(atPath: configuration.url.path) else { return Contents() }
    return try JSONDecoder().decode(Contents.self, from: Data(contentsOf: configuration.url))
  }
}

/// The models of a library in a file of JSON.
func openLibrary(at url: URL) throws -> ModelContainer {
  try ModelContainer(
    for: Author.self, Book.self, Shelf.self,
    configurations: JSONStoreConfiguration(name: "library", url: url))
}
