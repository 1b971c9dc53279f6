/// The version hashes of stores that this package wrote before these rules of Apple's were known:
///
///     a composite attribute's       began as any attribute's: base, type, flags; then those of its elements
///     several uniqueness constraints    counted in the order of their declaration
///     an entity's modifier          came after its constraints, also when the other two rules were known
///
/// Such a store opens with the model that made it and gets today's hashes: an SQLite file at once, with the model
/// that it keeps, other stores when they are saved next.
enum FormerVersionHash {
  /// The metadata with today's hashes of `model`; nil unless those that they have are its by the former rules.
  static func renewed(
    _ metadata: [String: Any], for model: NSManagedObjectModel, configuration: String
  ) -> [String: Any]? {
    guard var hashes = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata),
      let entities = model.entities(forConfigurationName: configuration),
      configuration != NSManagedObjectModel.defaultConfigurationName
        || hashes.count == entities.count
    else { return nil }
    var isFormer = false
    for entity in entities {
      let name = entity.name ?? ""
      if hashes[name] == entity.versionHash { continue }
      guard Rules.allCases.contains(where: { hashes[name] == hash(of: entity, by: $0) }) else {
        return nil
      }
      hashes[name] = entity.versionHash
      isFormer = true
    }
    return isFormer ? replacing(hashes, in: metadata) : nil
  }

  private static func replacing(
    _ hashes: [String: Data], in metadata: [String: Any]
  ) -> [String: Any] {
    var metadata = metadata
    metadata[NSStoreModelVersionHashesKey] = hashes
    let derived = [
      StoreMetadataKey.hashesDigest: VersionHash.digest(of: hashes),
      NSPersistentStoreModelVersionChecksumKey: VersionHash.checksum(of: hashes),
    ]
    for (key, value) in derived where metadata[key] != nil { metadata[key] = value }
    return metadata
  }

  // MARK: - The former rules

  private enum Rules: CaseIterable {
    /// None of the three was known.
    case first
    /// All but where the modifier is.
    case modifierLast
  }

  private static func hash(of entity: NSEntityDescription, by rules: Rules) -> Data {
    var message = Array((entity.name ?? "").utf8) + [entity.isAbstract ? 1 : 0]
    if let parent = entity.superentity { message += hash(of: parent, by: rules) }
    let properties = entity.properties.filter {
      !$0.isTransient && !($0 is NSFetchedPropertyDescription)
    }
    for property in inCodePointOrder(properties) {
      message += rules == .first ? hash(of: property) : property.versionHash
    }
    let constraints = entity.uniquenessConstraintNames.map { $0.joined(separator: ".") }
    for names in rules == .first ? constraints : constraints.sorted() { message += names.utf8 }
    message += (entity.versionHashModifier ?? "").utf8
    return Data(SHA256Digest.hash(message))
  }

  private static func hash(of property: NSPropertyDescription) -> Data {
    guard let composite = property as? NSCompositeAttributeDescription else {
      return property.versionHash
    }
    let base =
      Array(composite.name.utf8) + [composite.isOptional ? 1 : 0, 0]
      + Array((composite.versionHashModifier ?? "").utf8)
    var message = SHA256Digest.hash(base)
    withUnsafeBytes(of: UInt32(composite.attributeType.rawValue).littleEndian) { message += $0 }
    if composite.allowsExternalBinaryDataStorage { message.append(1) }
    if composite.preservesValueInHistoryOnDeletion { message.append(1) }
    for element in inCodePointOrder(composite.elements) { message += hash(of: element) }
    return Data(SHA256Digest.hash(message))
  }

  private static func inCodePointOrder<Property: NSPropertyDescription>(
    _ properties: [Property]
  ) -> [Property] {
    properties.sorted {
      $0.name.unicodeScalars.lexicographicallyPrecedes($1.name.unicodeScalars)
    }
  }
}
