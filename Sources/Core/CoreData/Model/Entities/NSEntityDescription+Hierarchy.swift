import Foundation

extension NSEntityDescription {
  /// The direct subentities by name.
  public final var subentitiesByName: [String: NSEntityDescription] {
    Dictionary(subentities.map { ($0.name ?? "", $0) }, uniquingKeysWith: { _, last in last })
  }

  /// Returns whether the entity is the given one or inherits from it.
  public final func isKindOf(entity: NSEntityDescription) -> Bool {
    var current: NSEntityDescription? = self
    while let candidate = current {
      if candidate === entity { return true }
      // Two loads of one model file give equal entities that are different objects.
      if candidate.name == entity.name, candidate.isEqual(entity) { return true }
      current = candidate.superentity
    }
    return false
  }

  /// The topmost ancestor: the entity whose table holds the rows of the whole hierarchy.
  package final var rootEntity: NSEntityDescription {
    var root = self
    while let parent = root.superentity { root = parent }
    return root
  }

  /// Returns whether all contents are equal; relatives and destinations are compared by name.
  package final func hasSameContents(as other: NSEntityDescription) -> Bool {
    name == other.name && managedObjectClassName == other.managedObjectClassName
      && isAbstract == other.isAbstract && versionHashModifier == other.versionHashModifier
      && renamingIdentifier == other.renamingIdentifier
      && superentity?.name == other.superentity?.name
      && Set(subentities.map(\.name)) == Set(other.subentities.map(\.name))
      && propertiesByName == other.propertiesByName
      && indexes.sorted { $0.name < $1.name } == other.indexes.sorted { $0.name < $1.name }
      && uniquenessConstraintNames == other.uniquenessConstraintNames
      && ModelValue.areEqual(userInfo, other.userInfo)
  }
}
