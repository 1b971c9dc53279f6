import Foundation

/// Describes how a store of one version of a model is migrated to another version.
///
/// Source: developer.apple.com/documentation/coredata/nsmappingmodel
open class NSMappingModel: NSObject {
  /// The entity mappings, in the order of processing.
  open var entityMappings: [NSEntityMapping]! {
    get { storedMappings }
    set { storedMappings = newValue ?? [] }
  }
  private var storedMappings: [NSEntityMapping] = []
  /// Whether ``inferredMappingModel(forSourceModel:destinationModel:)`` made it; SQLite stores can
  /// then be migrated in place.
  package final var isInferred = false

  /// Makes a mapping model without mappings.
  public override init() {}

  /// The entity mappings by name.
  open var entityMappingsByName: [String: NSEntityMapping] {
    Dictionary(storedMappings.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Infers a mapping model from one version of a model to another.
  ///
  /// Entities and properties correspond if their renaming identifiers are equal; these are their
  /// names unless the models set others. Throws 134190 if the models differ in more than can be
  /// inferred; the user info has `reason`, `entity` and, for a problem of one property, `property`.
  ///
  /// Source: developer.apple.com/documentation/coredata/nsmappingmodel,
  /// inferredmappingmodel(forsourcemodel:destinationmodel:)
  open class func inferredMappingModel(
    forSourceModel sourceModel: NSManagedObjectModel,
    destinationModel: NSManagedObjectModel
  ) throws -> NSMappingModel {
    try MappingInference(ModelMatch(source: sourceModel, destination: destinationModel))
      .mappingModel()
  }

  /// Returns whether this mapping model is for the two given models: they have every entity that it
  /// names, with the recorded hash if there is one.
  final func leads(
    from source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) -> Bool {
    !storedMappings.isEmpty
      && storedMappings.allSatisfy { mapping in
        Self.fits(mapping.sourceEntityName, hash: mapping.sourceEntityVersionHash, model: source)
          && Self.fits(
            mapping.destinationEntityName, hash: mapping.destinationEntityVersionHash,
            model: destination)
      }
  }

  private static func fits(
    _ name: String?, hash: Data?, model: NSManagedObjectModel
  ) -> Bool {
    guard let name else { return true }
    guard let entity = model.entitiesByName[name] else { return false }
    return hash == nil || entity.versionHash == hash
  }

  /// Returns whether the entity mappings are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSMappingModel else { return false }
    return self === other || storedMappings == other.storedMappings
  }

  open override var hash: Int { storedMappings.count }
}
