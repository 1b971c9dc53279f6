import Foundation

extension NSManagedObjectModel {
  /// The checksum of this version of the model: SHA-256 over the hashes of the entities, in base64.
  ///
  /// Equal to the checksum in `VersionInfo.plist` and in a store's
  /// `NSStoreModelVersionChecksumKey`.
  public final var versionChecksum: String {
    VersionHash.checksum(of: entityVersionHashesByName)
  }

  /// The checksums of the versions of a model (`.momd`; also `.xcdatamodeld`, unlike Apple's), by
  /// version name.
  ///
  /// Throws a ``ModelFileError`` if the file is not a model. The underscores are part of Apple's
  /// declaration.
  ///
  /// Source: developer.apple.com/documentation/coredata/nsmanagedobjectmodel
  public class func __checksumsForVersionedModel(at modelURL: URL) throws -> [String: String] {
    let package = ModelPackage(url: modelURL)
    let noted = try package.versionInfo()?.hashes ?? [:]
    let pairs = try package.versionNames().map { name in
      (
        name,
        try noted[name].map(VersionHash.checksum) ?? package.model(version: name).versionChecksum
      )
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  /// The digest of all entities, for the metadata of a new store.
  package final var versionHashesDigest: String {
    VersionHash.digest(of: entityVersionHashesByName)
  }
}
