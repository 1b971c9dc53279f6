import Foundation

extension NSManagedObjectModel {
  /// A text that names this version of the model: SHA-256 over the entities' hashes, in base64.
  ///
  /// The same as in `VersionInfo.plist` and in a store's `NSStoreModelVersionChecksumKey`.
  public final var versionChecksum: String {
    VersionHash.checksum(of: entityVersionHashesByName)
  }

  /// The checksums of the versions of a model (`.momd`, and beyond Apple's also `.xcdatamodeld`) by their
  /// names.
  ///
  /// Throws a ``ModelFileError`` for what is no model. Apple's declaration is hidden behind the underscores
  /// too. Source: developer.apple.com/documentation/coredata/nsmanagedobjectmodel
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
