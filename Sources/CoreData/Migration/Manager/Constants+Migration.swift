/// The variable `$manager` of a mapping's expressions: the ``NSMigrationManager``.
public let NSMigrationManagerKey = "manager"
/// `$source`: the source object.
public let NSMigrationSourceObjectKey = "source"
/// `$destination`: the destination object.
public let NSMigrationDestinationObjectKey = "destination"
/// `$entityMapping`: the ``NSEntityMapping``.
public let NSMigrationEntityMappingKey = "entityMapping"
/// `$propertyMapping`: the ``NSPropertyMapping``.
public let NSMigrationPropertyMappingKey = "propertyMapping"
/// `$entityPolicy`: the ``NSEntityMigrationPolicy``.
public let NSMigrationEntityPolicyKey = "entityPolicy"
