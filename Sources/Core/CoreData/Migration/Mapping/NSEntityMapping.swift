import Foundation

/// Describes how the objects of a source entity become objects of a destination entity.
///
/// Source: developer.apple.com/documentation/coredata/nsentitymapping
open class NSEntityMapping: NSObject {
  private var storedName: String?

  /// The name by which expressions refer to the mapping; `Source->Destination` if unset.
  open var name: String! {
    get { storedName ?? "\(sourceEntityName ?? "")->\(destinationEntityName ?? "")" }
    set { storedName = newValue }
  }
  /// The kind of the mapping.
  open var mappingType: NSEntityMappingType = .undefinedEntityMappingType
  /// The name of the source entity; nil for a new entity.
  open var sourceEntityName: String?
  /// The version hash of the source entity (32 bytes), by which the mapping model is found.
  open var sourceEntityVersionHash: Data?
  /// The name of the destination entity; nil for a removed entity.
  open var destinationEntityName: String?
  /// The version hash of the destination entity (32 bytes).
  open var destinationEntityVersionHash: Data?
  /// The mappings of attributes, in the order of evaluation.
  open var attributeMappings: [NSPropertyMapping]?
  /// The mappings of relationships, in the order of evaluation.
  open var relationshipMappings: [NSPropertyMapping]?
  /// The expression for the source objects; if nil, all objects of the source entity without those
  /// of subentities.
  open var sourceExpression: NSExpression?
  /// Custom data of the application. An inferred mapping has the sets of names `mappedProperties`,
  /// `addedProperties` and `removedProperties`.
  open var userInfo: [AnyHashable: Any]?
  /// The name of the policy class that makes the destination objects; ``NSEntityMigrationPolicy``
  /// if nil.
  open var entityMigrationPolicyClassName: String?

  /// Makes a mapping without entities.
  public override init() {}

  /// Returns whether all contents of the mappings are equal.
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
