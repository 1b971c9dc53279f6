/// The types of stores and the keys of their metadata.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentstorecoordinator

/// A SQLite database file.
public let NSSQLiteStoreType = "SQLite"
/// An XML file.
public let NSXMLStoreType = "XML"
/// A binary file.
public let NSBinaryStoreType = "Binary"
/// A store in memory.
public let NSInMemoryStoreType = "InMemory"

/// Metadata: the type of the store.
public let NSStoreTypeKey = "NSStoreType"
/// Metadata: the UUID of the store.
public let NSStoreUUIDKey = "NSStoreUUID"
/// Metadata: the version hashes of the entities, `[String: Data]`.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// Metadata: the version identifiers of the model, an array.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
/// Metadata: the checksum of the model's version.
public let NSPersistentStoreModelVersionChecksumKey = "NSStoreModelVersionChecksumKey"
/// Metadata: the systems that can use the store.
public let NSPersistentStoreOSCompatibility = "NSPersistentStoreOSCompatibility"

/// Metadata keys that Apple's frameworks write and that have no public names.
package enum StoreMetadataKey {
  package static let frameworkVersion = "NSPersistenceFrameworkVersion"
  package static let hashesVersion = "NSStoreModelVersionHashesVersion"
  package static let hashesDigest = "NSStoreModelVersionHashesDigest"
  package static let autoVacuumLevel = "_NSAutoVacuumLevel"
}

extension NSPersistentStore {
  /// A type of store: built in, or registered by the program.
  public struct StoreType: Hashable, RawRepresentable, Sendable {
    /// The type's name, as in a store's metadata.
    public let rawValue: String

    /// The type with this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A SQLite database file.
    public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
    /// A binary file.
    public static let binary = StoreType(rawValue: NSBinaryStoreType)
    /// A store in memory.
    public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
    /// An XML file.
    public static let xml = StoreType(rawValue: NSXMLStoreType)
  }
}
