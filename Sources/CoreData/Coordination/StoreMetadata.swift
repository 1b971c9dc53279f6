/// Makes the metadata of a new store.
package enum StoreMetadata {
  /// Type, a fresh UUID, and what is needed to recognise the model later.
  package static func new(
    type: String, model: NSManagedObjectModel?, configuration: String?
  ) -> [String: Any] {
    var metadata: [String: Any] = [NSStoreTypeKey: type, NSStoreUUIDKey: UUID().uuidString]
    guard let model else { return metadata }
    metadata.merge(versions(of: model, configuration: configuration)) { $1 }
    return metadata
  }

  /// The entries that name the version of the model; set anew when a store takes another version.
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
