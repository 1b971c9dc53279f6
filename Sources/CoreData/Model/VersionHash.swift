import Foundation

/// The version hashes of models: what a store notes to know whether a model fits it.
///
/// All are SHA-256; text is UTF-8 without length or end mark, integers are 32 bits, little-endian,
/// flags one byte.
///
///     base(p)      = name, isOptional, 0, versionHashModifier
///     attribute(p) = base(p), type, [1 if external storage], [1 if preserved on deletion]
///     composite(p) = hashes of the elements by name, and nothing of its own
///     relation(p)  = base(p), destination's name, inverse's name, maxCount, minCount, [1 0 if ordered]
///     entity(e)    = name, isAbstract, [hash of the superentity],
///                    hashes of all persistent properties by name, own uniqueness constraints, each its
///                    names joined by ".", sorted, versionHashModifier
///
/// Transient and fetched properties, defaults, validation, delete rules, indexes and class names do not count.
package enum VersionHash {
  package static func hash(ofBase property: NSPropertyDescription) -> Data {
    Data(SHA256Digest.hash(base(property)))
  }

  package static func hash(of attribute: NSAttributeDescription) -> Data {
    if let composite = attribute as? NSCompositeAttributeDescription {
      return Data(SHA256Digest.hash(sorted(composite.elements).flatMap { Array($0.versionHash) }))
    }
    var message = SHA256Digest.hash(base(attribute))
    message += bytes(Int(attribute.attributeType.rawValue))
    if attribute.allowsExternalBinaryDataStorage { message.append(1) }
    if attribute.preservesValueInHistoryOnDeletion { message.append(1) }
    return Data(SHA256Digest.hash(message))
  }

  package static func hash(of relationship: NSRelationshipDescription) -> Data {
    var message = SHA256Digest.hash(base(relationship))
    message += bytes(relationship.destinationEntityName ?? "")
    message += bytes(relationship.inverseRelationshipName ?? "")
    message += bytes(relationship.maxCount) + bytes(relationship.minCount)
    if relationship.isOrdered { message += [1, 0] }
    return Data(SHA256Digest.hash(message))
  }

  package static func hash(of entity: NSEntityDescription) -> Data {
    var message = bytes(entity.name ?? "") + [entity.isAbstract ? 1 : 0]
    if let parent = entity.superentity { message += parent.versionHash }
    for property in persistentProperties(of: entity) { message += property.versionHash }
    let constraints = entity.uniquenessConstraintNames.map { $0.joined(separator: ".") }
    for constraint in constraints.sorted() { message += bytes(constraint) }
    message += bytes(entity.versionHashModifier ?? "")
    return Data(SHA256Digest.hash(message))
  }

  /// In code-point order of their names, which is Swift's order of unicode scalars.
  private static func persistentProperties(
    of entity: NSEntityDescription
  ) -> [NSPropertyDescription] {
    sorted(
      entity.properties.filter { !$0.isTransient && !($0 is NSFetchedPropertyDescription) })
  }

  private static func sorted<Property: NSPropertyDescription>(
    _ properties: [Property]
  ) -> [Property] {
    properties.sorted {
      $0.name.unicodeScalars.lexicographicallyPrecedes($1.name.unicodeScalars)
    }
  }

  private static func base(_ property: NSPropertyDescription) -> [UInt8] {
    bytes(property.name) + [property.isOptional ? 1 : 0, 0]
      + bytes(property.versionHashModifier ?? "")
  }

  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static func bytes(_ number: Int) -> [UInt8] {
    let word = UInt32(truncatingIfNeeded: number)
    return (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
  }
}
