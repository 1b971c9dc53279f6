import Foundation

extension NSManagedObjectModel {
  /// A text that names this version of the model: SHA-256 over the entities' hashes, in base64.
  ///
  /// The same as in `VersionInfo.plist` and in a store's `NSStoreModelVersionChecksumKey`.
  public final var versionChecksum: String {
    Self.checksum(of: entityVersionHashesByName)
  }

  /// The checksum of entity hashes by name, as `NSStoreModelVersionChecksumKey` has it.
  package static func checksum(of hashes: [String: Data]) -> String {
    let message = inCodePointOrder(hashes).flatMap { Array($0.value) }
    return Data(SHA256Digest.hash(message)).base64EncodedString()
  }

  /// The digest of entity hashes by name, as `NSStoreModelVersionHashesDigest` has it:
  /// SHA-512 over names and hashes, in base64.
  package static func digest(of hashes: [String: Data]) -> String {
    let message = inCodePointOrder(hashes).flatMap { Array($0.key.utf8) + Array($0.value) }
    return Data(SHA512Digest.hash(message)).base64EncodedString()
  }

  /// The digest of all entities, for the metadata of a new store.
  package final var versionHashesDigest: String {
    Self.digest(of: entityVersionHashesByName)
  }

  private static func inCodePointOrder(_ hashes: [String: Data]) -> [(key: String, value: Data)] {
    hashes.sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
  }
}
