import Foundation

/// Describes a relationship: a property that holds one or several other objects.
///
/// The relationship does not retain its destination and inverse, as in Apple's framework.
///
/// Source: developer.apple.com/documentation/coredata/nsrelationshipdescription
///
/// Unchecked Sendable for the reason given at `NSPropertyDescription`.
open class NSRelationshipDescription: NSPropertyDescription, SoftlyReferenced, @unchecked Sendable {
  @Soft private var destination: NSEntityDescription?
  @Soft private var inverse: NSRelationshipDescription?
  /// The reference by which other relationships refer to this one.
  final let reference = SoftReference<NSRelationshipDescription>()
  private var storedDestinationName: String?
  private var storedInverseName: String?

  /// Makes a relationship without a name and destination.
  public override init() {
    super.init()
    reference.point(to: self)
  }

  deinit { reference.clear() }

  /// The entity of the objects at the other end.
  open var destinationEntity: NSEntityDescription? {
    get { destination }
    set {
      checkMutable()
      destination = newValue
      storedDestinationName = newValue?.name
    }
  }

  /// The relationship in the other direction. Must be set at both ends.
  open var inverseRelationship: NSRelationshipDescription? {
    get { inverse }
    set {
      checkMutable()
      inverse = newValue
      storedInverseName = newValue?.name
    }
  }

  /// The maximum number of objects: 1 makes a to-one relationship, 0 (no limit) or more a to-many
  /// one.
  open var maxCount: Int = 0 { willSet { checkMutable() } }
  /// The minimum number of objects, if the relationship is not optional.
  open var minCount: Int = 0 { willSet { checkMutable() } }
  /// The effect of deleting an object on the objects at the other end.
  open var deleteRule: NSDeleteRule = .nullifyDeleteRule { willSet { checkMutable() } }
  /// Whether a to-many relationship is ordered.
  open var isOrdered = false { willSet { checkMutable() } }

  /// Whether several objects can be related: true unless `maxCount` is 1.
  public final var isToMany: Bool { maxCount != 1 }

  /// The name of the destination, available before the entity itself is resolved.
  package final var destinationEntityName: String? {
    destination?.name ?? storedDestinationName
  }

  /// The name of the inverse, available before the relationship itself is resolved.
  package final var inverseRelationshipName: String? {
    inverse?.name ?? storedInverseName
  }

  /// Sets the names from which the model later resolves entity and relationship.
  package final func setNames(destination: String?, inverse: String?) {
    checkMutable()
    storedDestinationName = destination
    storedInverseName = inverse
  }

  /// Resolves destination and inverse by name in a model, unless they already belong to it.
  package final func resolveDestination(in model: NSManagedObjectModel) {
    guard destination?.owningModel !== model || destination == nil else { return }
    guard let name = destinationEntityName, let found = model.entitiesByName[name] else { return }
    destination = found
    storedDestinationName = name
    guard let inverseName = inverseRelationshipName else { return }
    // An inverse whose own inverse is another relationship is ignored: keeping both sides in step
    // would undo edits. Its name stays, for the version hash.
    let candidate = found.relationshipsByName[inverseName]
    inverse = candidate?.inverseRelationshipName == self.name ? candidate : nil
  }

  open override var versionHash: Data { versionHash(isOwnInverse: isOwnInverse) }

  /// The version hash; stores of earlier versions of this package have one in which no relationship
  /// is its own inverse.
  package final func versionHash(isOwnInverse: Bool) -> Data {
    VersionHash.relationship(
      versionHashBase, destination: destinationEntityName, inverse: inverseRelationshipName,
      isOwnInverse: isOwnInverse, maxCount: maxCount, minCount: minCount, isOrdered: isOrdered)
  }

  /// Whether objects that are related are so in both directions by this one relationship.
  private var isOwnInverse: Bool {
    inverseRelationshipName == name && destinationEntityName == declaringEntity?.name
  }

  package override func makeEmptyCopy() -> NSPropertyDescription {
    NSRelationshipDescription()
  }

  /// The copy has the names only; the model that it is added to resolves them.
  package override func copyContents(to copy: NSPropertyDescription) {
    super.copyContents(to: copy)
    guard let copy = copy as? NSRelationshipDescription else { return }
    copy.setNames(destination: destinationEntityName, inverse: inverseRelationshipName)
    copy.maxCount = maxCount
    copy.minCount = minCount
    copy.deleteRule = deleteRule
    copy.isOrdered = isOrdered
  }

  package override func hasSameContents(as other: NSPropertyDescription) -> Bool {
    guard super.hasSameContents(as: other), let other = other as? NSRelationshipDescription else {
      return false
    }
    return destinationEntityName == other.destinationEntityName
      && inverseRelationshipName == other.inverseRelationshipName
      && maxCount == other.maxCount && minCount == other.minCount
      && deleteRule == other.deleteRule && isOrdered == other.isOrdered
  }
}
