/// The keys of a store's options. Where Apple does not publish a key's string, it equals the
/// symbol's name.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentstorecoordinator (Store Options)

/// Bool: refuse saves to the store, and leave its file untouched.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// Bool: validate an XML store when it is read.
public let NSValidateXMLStoreOption = "NSValidateXMLStoreOption"
/// A number of seconds: how long to wait for a store that another process has locked.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// `[String: NSObject]`: pragmas that a SQLite store sets on its connections.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// Bool: have SQLite analyse the tables when the store is added.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// Bool: have SQLite rebuild the file when the store is added.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// Bool: open the store even if its version hashes differ from the model's.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
/// Bool: migrate a store of an earlier model when it is added.
public let NSMigratePersistentStoresAutomaticallyOption =
  "NSMigratePersistentStoresAutomaticallyOption"
/// Bool: infer the mapping model of a migration.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// A number: the most connections that a store keeps open.
public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSize"
/// Bool: destroy or replace a store even if it is locked.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"
/// The protection of the store's files on Apple's mobile systems; no effect here.
public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"
/// Bool: record every change in the store's history.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// Bool: post `NSPersistentStoreRemoteChange` when the store has changed.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
  "NSPersistentStoreRemoteChangeNotificationOptionKey"
/// The classes that a binary store may contain; no effect here.
public let NSBinaryStoreSecureDecodingClasses = "NSBinaryStoreSecureDecodingClasses"
/// Bool: read binary stores without secure decoding; no effect here.
public let NSBinaryStoreInsecureDecodingCompatibilityOption =
  "_NSBinaryStoreInsecureDecodingCompatibilityOption"
/// Bool: defer the slow part of a migration.
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
  "NSPersistentStoreDeferredLightweightMigrationOptionKey"
/// An array of URLs of models (`.momd`, `.mom`, `.xcdatamodeld`) and mapping models, which a
/// migration searches before the bundles of the program: for versions that the bundles lack. Not
/// Apple's.
public let OpenCoreDataMigrationModelsOption = "OpenCoreDataMigrationModels"
/// Bool: let an inferred migration remove entities of which the store has objects and which the
/// model lacks, even if no version in the program has them. Without it such a migration is refused
/// (134110), since the store may be another program's. Not Apple's: its framework does not migrate
/// a store of a version that the program lacks.
public let OpenCoreDataRemovesEntitiesOption = "OpenCoreDataRemovesEntities"
/// Bool: evaluate comparisons with nil in fetches from this store as in memory, so that
/// `author != "x"` matches objects without an author. Not Apple's: there, a fetch from a SQLite
/// store always compares as SQL does, which is the default here for every store.
public let OpenCoreDataComparesNilAsInMemoryOption = "OpenCoreDataComparesNilAsInMemory"
/// The `NSStagedMigrationManager` of a staged migration.
public let NSPersistentStoreStagedMigrationManagerOptionKey =
  "NSPersistentStoreStagedMigrationManagerOptionKey"

/// Bool: let a program with an older version of the model open a store on a PostgreSQL server, if
/// the newer version has only added optional attributes, attributes with defaults, entities, or
/// indexes. On by default; when off, opening fails with error 134100, as with a store in a file.
/// Not Apple's; other stores ignore it.
public let OpenCoreDataAdmitsOlderModelsOption = "OpenCoreDataAdmitsOlderModels"

/// The standbys of a store on a PostgreSQL server, a URL or a String such as
/// `postgresql://user@host1,host2/database`; path and options are those of the store's own URL.
/// Reads go to a standby instead of the primary once it has everything that was saved through the
/// context's coordinator or announced to that coordinator; until then they go to the primary. Not
/// Apple's; other stores ignore it.
public let OpenCoreDataReplicaURLOption = "OpenCoreDataReplicaURL"

/// Bool, as a number: let a migration lead back to an earlier version of the model, from which
/// another program has migrated the store.
package let OpenCoreDataLeadsBackOption = "OpenCoreDataLeadsBack"
