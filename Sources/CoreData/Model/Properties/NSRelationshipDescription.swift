import Foundation

/// Describes a relationship: a property that holds one other object or several.
///
/// The destination and the inverse are not kept alive by the relationship, as in Apple's framework.
/// Source: developer.apple.com/documentation/coredata/nsrelationshipdescription
///
/// Sendable for the reason given at `NSPropertyDescription`.
open class NSRelationshipDescription: NSPropertyDescription, SoftlyReferenced, @unchecked Sendable {
  @Soft private var destination: NSEntityDescription?
  @Soft private var inverse: NSRelationshipDescription?
  /// What other relationships know this one by.
  final let reference = SoftReference<NSRelationshipDescription>()
  private var storedDestinationName: String?
  private var storedInverseName: String?

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

  /// The relationship that leads back. It has to be set at both ends.
  open var inverseRelationship: NSRelationshipDescription? {
    get { inverse }
    set {
      checkMutable()
      inverse = newValue
      storedInverseName = newValue?.name
    }
  }

  /// The most objects allowed: 1 makes a to-one relationship, 0 (no limit) or more a to-many one.
  open var maxCount: Int = 0 { willSet { checkMutable() } }
  /// The fewest objects allowed, where the relationship is not optional.
  open var minCount: Int = 0 { willSet { checkMutable() } }
  /// What a deletion does to the other end.
  open var deleteRule: NSDeleteRule = .nullifyDeleteRule { willSet { checkMutable() } }
  /// Whether a to-many relationship keeps an order.
  open var isOrdered = false { willSet { checkMutable() } }

  /// Whether several objects may be related: everything but a `maxCount` of 1.
  public final var isToMany: Bool { maxCount != 1 }

  /// The name of the destination, also while the entity itself is not known.
  package final var destinationEntityName: String? {
    destination?.name ?? storedDestinationName
  }

  /// The name of the inverse, also while the relationship itself is not known.
  package final var inverseRelationshipName: String? {
    inverse?.name ?? storedInverseName
  }

  /// Notes names whose entity and relationship are found when the model is put together.
  package final func setNames(destination: String?, inverse: String?) {
    checkMutable()
    storedDestinationName = destination
    storedInverseName = inverse
  }

  /// Finds destination and inverse by name in a model, unless they are part of it already.
  package final func resolveDestination(in model: NSManagedObjectModel) {
    guard destination?.owningModel !== model || destination == nil else { return }
    guard let name = destinationEntityName, let found = model.entitiesByName[name] else { return }
    destination = found
    storedDestinationName = name
    guard let inverseName = inverseRelationshipName else { return }
    // One that does not lead back is none: keeping both sides in step would undo what was set. Its name
    // stays, for the version hash.
    let candidate = found.relationshipsByName[inverseName]
    inverse = candidate?.inverseRelationshipName == self.name ? candidate : nil
  }

  open override var versionHash: Data {
    VersionHash.relationship(
      versionHashBase, destination: destinationEntityName, inverse: inverseRelationshipName,
      maxCount: maxCount, minCount: minCount, isOrdered: isOrdered)
  }

  package override func makeEmptyCopy() -> NSPropertyDescription {
    NSRelationshipDescription()
  }

  /// The copy has the names only, so that it finds its place in the model that takes it.
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
