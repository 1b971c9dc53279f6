/// The keys of a store's options. Where Apple's raw string is not published, it is the symbol's name.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentstorecoordinator (Store Options)

/// Bool: saves of the store's objects are refused, and the file is not touched.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// Bool: check an XML store when it is read.
public let NSValidateXMLStoreOption = "NSValidateXMLStoreOption"
/// Seconds to wait for a store that another process has locked.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// `[String: NSObject]`: pragmas that the SQLite store sets on its connections.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// Bool: let SQLite analyse the tables when the store is added.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// Bool: let SQLite rebuild the file when the store is added.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// Bool: open the store although its version hashes differ.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
/// Bool: migrate a store of an earlier model when it is added.
public let NSMigratePersistentStoresAutomaticallyOption =
  "NSMigratePersistentStoresAutomaticallyOption"
/// Bool: infer the mapping model of a migration.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// The most connections that a store keeps open.
public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSize"
/// Bool: destroy or replace a store although it is locked.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"
/// The protection of the store's files on Apple's mobile systems.
public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"
/// Bool: note every change in the store's history.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// Bool: post `NSPersistentStoreRemoteChange` when the store has changed.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
  "NSPersistentStoreRemoteChangeNotificationOptionKey"
/// The classes that a binary store may contain.
public let NSBinaryStoreSecureDecodingClasses = "NSBinaryStoreSecureDecodingClasses"
/// Bool: read binary stores without secure decoding.
public let NSBinaryStoreInsecureDecodingCompatibilityOption =
  "_NSBinaryStoreInsecureDecodingCompatibilityOption"
/// Bool: leave the slow part of a migration for later.
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
  "NSPersistentStoreDeferredLightweightMigrationOptionKey"
/// An array of URLs of models (`.momd`, `.mom`, `.xcdatamodeld`) and mapping models: what a migration looks at before the
/// bundles of the program, for versions that are not in them. Not Apple's.
public let OpenCoreDataMigrationModelsOption = "OpenCoreDataMigrationModels"
/// Bool: an inferred migration may remove entities that the store has objects of and the model lacks, also where no
/// version of the program's own has them. Without it such a migration is refused (134110): the store may be another
/// program's. Not Apple's, whose framework does not migrate a store of a version that the program does not have.
public let OpenCoreDataRemovesEntitiesOption = "OpenCoreDataRemovesEntities"
/// Bool: comparisons with nil mean in fetches from this store what they mean in memory, so that
/// `author != "x"` finds objects without an author. Not Apple's: there, a fetch from a SQLite store always
/// compares as SQL does, which is the default here for every store.
public let OpenCoreDataComparesNilAsInMemoryOption = "OpenCoreDataComparesNilAsInMemory"
/// The manager of a staged migration.
public let NSPersistentStoreStagedMigrationManagerOptionKey =
  "NSPersistentStoreStagedMigrationManagerOptionKey"

/// Bool: whether a program of an older version of the model may open a store on a PostgreSQL server that has only gained what
/// the program does not know: optional attributes, attributes with defaults, entities, indexes. On when nothing is said; off
/// it is refused with error 134100, as a store in a file is. Not Apple's; other stores do not look at it.
public let OpenCoreDataAdmitsOlderModelsOption = "OpenCoreDataAdmitsOlderModels"

/// Where standbys of a store on a PostgreSQL server are: a URL or a String such as
/// `postgresql://user@host1,host2/database`, with the path and the options of the store's own URL. They read in the place of
/// the primary: a context finds on them what was saved by way of its coordinator and what its coordinator was told of, or
/// reads from the primary. Of this package; other stores do not look at it.
public let OpenCoreDataReplicaURLOption = "OpenCoreDataReplicaURL"

/// Lets a store be led back to a version of its model that another program led it away from: a number that is true.
package let OpenCoreDataLeadsBackOption = "OpenCoreDataLeadsBack"
