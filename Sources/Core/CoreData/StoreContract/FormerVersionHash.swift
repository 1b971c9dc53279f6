/// Version hashes of stores that this package wrote before it knew these rules of Apple's:
///
///     composite attribute's hash    began like any attribute's (base, type, flags), then elements
///     uniqueness constraints        were hashed in the order of their declaration
///     entity's version modifier     came after the constraints
///     relationship's own inverse    was hashed by its name; this rule was learned last
///
/// A store with former hashes opens with the model that made it and receives today's hashes: an
/// SQLite file at once, together with the model stored in it, any other store at its next save.
enum FormerVersionHash {
  /// The metadata with today's hashes of `model`; nil unless every hash is today's or one by a
  /// former rule, and at least one is by a former rule.
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
    /// Before any of the rules was known.
    case first
    /// When the position of the modifier, and the rule after it, were unknown.
    case modifierLast
    /// When only the rule of relationships that are their own inverses was unknown.
    case ownInverseNamed
  }

  private static func hash(of entity: NSEntityDescription, by rules: Rules) -> Data {
    var message = Array((entity.name ?? "").utf8) + [entity.isAbstract ? 1 : 0]
    if let parent = entity.superentity { message += hash(of: parent, by: rules) }
    let properties = entity.properties.filter {
      !$0.isTransient && !($0 is NSFetchedPropertyDescription)
    }
    for property in inCodePointOrder(properties) {
      message += hash(of: property, by: rules)
    }
    let modifier = Array((entity.versionHashModifier ?? "").utf8)
    if rules == .ownInverseNamed { message += modifier }
    let constraints = entity.uniquenessConstraintNames.map { $0.joined(separator: ".") }
    for names in rules == .first ? constraints : constraints.sorted() { message += names.utf8 }
    if rules != .ownInverseNamed { message += modifier }
    return Data(SHA256Digest.hash(message))
  }

  private static func hash(of property: NSPropertyDescription, by rules: Rules) -> Data {
    if let relationship = property as? NSRelationshipDescription {
      return relationship.versionHash(isOwnInverse: false)
    }
    guard rules == .first, let composite = property as? NSCompositeAttributeDescription else {
      return property.versionHash
    }
    let base =
      Array(composite.name.utf8) + [composite.isOptional ? 1 : 0, 0]
      + Array((composite.versionHashModifier ?? "").utf8)
    var message = SHA256Digest.hash(base)
    withUnsafeBytes(of: UInt32(composite.attributeType.rawValue).littleEndian) { message += $0 }
    if composite.allowsExternalBinaryDataStorage { message.append(1) }
    if composite.preservesValueInHistoryOnDeletion { message.append(1) }
    for element in inCodePointOrder(composite.elements) { message += hash(of: element, by: rules) }
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
