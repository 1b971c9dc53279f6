import Foundation

extension NSManagedObjectModel {
  private static let hashesKey = "NSStoreModelVersionHashes"

  /// The version hashes (32 bytes each) by entity name.
  public final var entityVersionHashesByName: [String: Data] {
    entitiesByName.mapValues(\.versionHash)
  }

  /// Returns whether a store with the given metadata can be opened with a configuration of this
  /// model.
  ///
  /// Each entity of the configuration must have the hash that the metadata has for it, and the
  /// metadata must not have an entity that the model lacks: its objects would be lost. False if the
  /// metadata has no hashes.
  public final func isConfiguration(
    withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
  ) -> Bool {
    guard let stored = Self.versionHashes(inStoreMetadata: metadata) else { return false }
    guard let entities = entities(forConfigurationName: configuration) else { return false }
    let fits = entities.allSatisfy { stored[$0.name ?? ""] == $0.versionHash }
    return fits && stored.keys.allSatisfy { entitiesByName[$0] != nil }
  }

  /// The version hashes in a store's metadata; nil if there are none.
  package static func versionHashes(
    inStoreMetadata metadata: [String: Any]
  ) -> [String: Data]? {
    // Casts entry by entry: a cast of the whole dictionary takes many times as long.
    guard let entries = metadata[hashesKey] as? [String: Any] else { return nil }
    var hashes: [String: Data] = [:]
    for (name, entry) in entries {
      guard let hash = entry as? Data else { return nil }
      hashes[name] = hash
    }
    return hashes
  }
}
