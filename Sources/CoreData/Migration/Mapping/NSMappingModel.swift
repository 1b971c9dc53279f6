import Foundation

/// Says how a store of one version of a model becomes one of another.
///
/// Source: developer.apple.com/documentation/coredata/nsmappingmodel
open class NSMappingModel: NSObject {
  /// In the order in which they are processed.
  open var entityMappings: [NSEntityMapping]! {
    get { storedMappings }
    set { storedMappings = newValue ?? [] }
  }
  private var storedMappings: [NSEntityMapping] = []
  /// Whether ``inferredMappingModel(forSourceModel:destinationModel:)`` made it: then SQLite stores may be
  /// migrated in place.
  package final var isInferred = false

  /// A mapping model without mappings.
  public override init() {}

  /// The mappings by their names.
  open var entityMappingsByName: [String: NSEntityMapping] {
    Dictionary(storedMappings.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Works out how to get from one version of a model to another.
  ///
  /// Entities and properties belong together when their renaming identifiers are equal, which are their names
  /// unless the models say otherwise. Throws 134190 when the models differ in more than can be inferred; the
  /// user info has `reason`, `entity` and, where it is about one, `property`.
  ///
  /// Source: developer.apple.com/documentation/coredata/nsmappingmodel/inferredmappingmodel(forsourcemodel:destinationmodel:)
  open class func inferredMappingModel(
    forSourceModel sourceModel: NSManagedObjectModel,
    destinationModel: NSManagedObjectModel
  ) throws -> NSMappingModel {
    try MappingInference(ModelMatch(source: sourceModel, destination: destinationModel))
      .mappingModel()
  }

  /// Whether this mapping model is for these two models: every entity that it names has the hash that it notes,
  /// or is named without one.
  final func leads(
    from source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) -> Bool {
    !storedMappings.isEmpty
      && storedMappings.allSatisfy { mapping in
        Self.fits(mapping.sourceEntityName, mapping.sourceEntityVersionHash, source)
          && Self.fits(
            mapping.destinationEntityName, mapping.destinationEntityVersionHash, destination)
      }
  }

  private static func fits(
    _ name: String?, _ hash: Data?, _ model: NSManagedObjectModel
  ) -> Bool {
    guard let name else { return true }
    guard let entity = model.entitiesByName[name] else { return false }
    return hash == nil || entity.versionHash == hash
  }

  /// Mapping models are equal when their mappings are.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSMappingModel else { return false }
    return self === other || storedMappings == other.storedMappings
  }

  open override var hash: Int { storedMappings.count }
}
