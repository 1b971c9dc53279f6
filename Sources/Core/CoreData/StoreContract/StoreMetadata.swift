/// The metadata of a new store.
package enum StoreMetadata {
  /// The type, a new UUID, and the entries that identify the version of the model.
  package static func new(
    type: String, model: NSManagedObjectModel?, configuration: String?
  ) -> [String: Any] {
    var metadata: [String: Any] = [NSStoreTypeKey: type, NSStoreUUIDKey: UUID().uuidString]
    guard let model else { return metadata }
    metadata.merge(versions(of: model, configuration: configuration)) { $1 }
    return metadata
  }

  /// New metadata with what somebody who sets them does not take away by leaving it out: the type,
  /// the UUID, and what the library notes of its own.
  static func keeping(_ old: [String: Any], in new: [String: Any]) -> [String: Any] {
    let kept = old.filter { key, _ in
      key == NSStoreTypeKey || key == NSStoreUUIDKey || key.hasPrefix(ownPrefix)
    }
    return new.merging(kept) { new, _ in new }
  }

  /// The keys of the library's own that are none of Apple's begin with it.
  private static let ownPrefix = "OpenCoreData."

  /// The entries that identify the version of the model; written again when a store is migrated.
  package static func versions(
    of model: NSManagedObjectModel, configuration: String?
  ) -> [String: Any] {
    let entities = model.entities(forConfigurationName: configuration) ?? []
    let hashes = Dictionary(
      entities.map { ($0.name ?? "", $0.versionHash) }, uniquingKeysWith: { $1 })
    return [
      NSStoreModelVersionHashesKey: hashes,
      NSStoreModelVersionIdentifiersKey: model.versionIdentifiers.map(\.base),
      StoreMetadataKey.hashesVersion: 3,
      StoreMetadataKey.hashesDigest: VersionHash.digest(of: hashes),
      NSPersistentStoreModelVersionChecksumKey: VersionHash.checksum(of: hashes),
    ]
  }
}
