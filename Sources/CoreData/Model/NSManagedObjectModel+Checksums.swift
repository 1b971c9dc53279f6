import Foundation

extension NSManagedObjectModel {
  /// A text that names this version of the model: SHA-256 over the entities' hashes, in base64.
  ///
  /// The same as in `VersionInfo.plist` and in a store's `NSStoreModelVersionChecksumKey`.
  public final var versionChecksum: String {
    VersionHash.checksum(of: entityVersionHashesByName)
  }

  /// The digest of all entities, for the metadata of a new store.
  package final var versionHashesDigest: String {
    VersionHash.digest(of: entityVersionHashesByName)
  }
}
