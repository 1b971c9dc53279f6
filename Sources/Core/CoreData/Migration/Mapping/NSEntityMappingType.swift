/// The way in which an entity mapping makes the objects of its destination entity.
///
/// Source: developer.apple.com/documentation/coredata/nsentitymappingtype
public enum NSEntityMappingType: UInt, Sendable {
  /// Not specified; treated as ``transformEntityMappingType``.
  case undefinedEntityMappingType = 0
  /// A custom policy class makes the objects.
  case customEntityMappingType = 1
  /// The entity is new; there are no source objects.
  case addEntityMappingType = 2
  /// The entity was removed; its objects are lost.
  case removeEntityMappingType = 3
  /// The entity is equal in both models.
  case copyEntityMappingType = 4
  /// The entity has changed.
  case transformEntityMappingType = 5
}
