import Foundation

/// Says how the objects of a source entity become those of a destination entity.
///
/// Source: developer.apple.com/documentation/coredata/nsentitymapping
open class NSEntityMapping: NSObject {
  private var storedName: String?

  /// The name by which expressions refer to the mapping; `Source->Destination` when unset.
  open var name: String! {
    get { storedName ?? "\(sourceEntityName ?? "")->\(destinationEntityName ?? "")" }
    set { storedName = newValue }
  }
  open var mappingType: NSEntityMappingType = .undefinedEntityMappingType
  open var sourceEntityName: String?
  /// The source entity's version hash (32 bytes), by which the mapping model is found.
  open var sourceEntityVersionHash: Data?
  open var destinationEntityName: String?
  /// The destination entity's version hash (32 bytes).
  open var destinationEntityVersionHash: Data?
  /// In the order in which they are evaluated.
  open var attributeMappings: [NSPropertyMapping]?
  /// In the order in which they are evaluated.
  open var relationshipMappings: [NSPropertyMapping]?
  /// Gives the source objects; all of the source entity, without those of subentities, when nil.
  open var sourceExpression: NSExpression?
  /// Anything that the application wants to attach. An inferred mapping has the sets of names
  /// `mappedProperties`, `addedProperties` and `removedProperties`.
  open var userInfo: [AnyHashable: Any]?
  /// The class that makes the destination objects; ``NSEntityMigrationPolicy`` when nil.
  open var entityMigrationPolicyClassName: String?

  public override init() {}

  /// Mappings are equal when they say the same.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSEntityMapping else { return false }
    return self === other
      || (name == other.name && mappingType == other.mappingType && hasSameEntities(as: other)
        && (attributeMappings ?? []) == (other.attributeMappings ?? [])
        && (relationshipMappings ?? []) == (other.relationshipMappings ?? [])
        && sourceExpression == other.sourceExpression
        && entityMigrationPolicyClassName == other.entityMigrationPolicyClassName
        && ModelValue.areEqual(userInfo, other.userInfo))
  }

  private func hasSameEntities(as other: NSEntityMapping) -> Bool {
    sourceEntityName == other.sourceEntityName
      && sourceEntityVersionHash == other.sourceEntityVersionHash
      && destinationEntityName == other.destinationEntityName
      && destinationEntityVersionHash == other.destinationEntityVersionHash
  }

  open override var hash: Int { name.hashValue }
}
