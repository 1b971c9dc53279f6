/// How an entity mapping makes the objects of its destination entity.
///
/// Source: developer.apple.com/documentation/coredata/nsentitymappingtype
public enum NSEntityMappingType: UInt, Sendable {
  /// Not said; treated as ``transformEntityMappingType``.
  case undefinedEntityMappingType = 0
  /// A policy class of the developer's does it.
  case customEntityMappingType = 1
  /// The entity is new: there are no source objects.
  case addEntityMappingType = 2
  /// The entity is gone: its objects are left behind.
  case removeEntityMappingType = 3
  /// The entity is the same in both models.
  case copyEntityMappingType = 4
  /// The entity has changed.
  case transformEntityMappingType = 5
}
