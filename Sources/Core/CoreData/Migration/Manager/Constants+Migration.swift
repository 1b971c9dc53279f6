/// The variable `$manager` of a mapping's expressions: the ``NSMigrationManager``.
public let NSMigrationManagerKey = "manager"
/// The variable `$source`: the source object.
public let NSMigrationSourceObjectKey = "source"
/// The variable `$destination`: the destination object.
public let NSMigrationDestinationObjectKey = "destination"
/// The variable `$entityMapping`: the ``NSEntityMapping``.
public let NSMigrationEntityMappingKey = "entityMapping"
/// The variable `$propertyMapping`: the ``NSPropertyMapping``.
public let NSMigrationPropertyMappingKey = "propertyMapping"
/// The variable `$entityPolicy`: the ``NSEntityMigrationPolicy``.
public let NSMigrationEntityPolicyKey = "entityPolicy"
