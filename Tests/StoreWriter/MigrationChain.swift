import CoreData
import Foundation

/// Three versions beside a store, of which the first and the last are joined over the one in between alone: by an
/// inferred mapping, and then by a compiled mapping model.
struct MigrationChain {
  private let folder: URL

  init(_ store: URL) { folder = store.deletingLastPathComponent() }

  private var models: URL { folder.appendingPathComponent("Versions.momd") }
  private var mapping: URL { folder.appendingPathComponent("Last.cdm") }

  var files: [URL] { [models, mapping] }

  func write() throws {
    let (middle, last) = (MigratedModel.make(), Self.destination())
    try NSManagedObjectModel.write(
      ["1": WriterModel.make(), "2": middle, "3": last], currentVersion: "3", to: models)
    try NSMappingModel.inferredMappingModel(forSourceModel: middle, destinationModel: last)
      .write(to: mapping)
  }

  /// Its writers are numbers: nothing of the first version's, which are texts.
  static func destination() -> NSManagedObjectModel {
    let model = MigratedModel.make()
    let writer = NSAttributeDescription()
    writer.name = "writer"
    writer.attributeType = .integer64AttributeType
    writer.isOptional = true
    model.entitiesByName["Note"]?.properties.append(writer)
    return model
  }
}
