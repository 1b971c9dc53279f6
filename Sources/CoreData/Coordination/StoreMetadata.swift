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
