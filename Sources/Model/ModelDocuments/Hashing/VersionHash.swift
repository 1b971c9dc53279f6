import Foundation

/// The version hashes of models, by which a store recognises a model that fits it.
///
/// All are SHA-256. Text is UTF-8 without length or terminator, integers are 32 bits,
/// little-endian, flags are one byte; "by name" means in code-point order.
///
///     base(p)      = name, isOptional, 0, versionHashModifier
///     attribute(p) = base(p), type, [1 if external storage], [1 if preserved on deletion]
///     composite(p) = hashes of the elements by name, and nothing of its own
///     relation(p)  = base(p), destination's name, inverse's name unless it is its own inverse,
///                    maxCount, minCount, [1 0 if ordered]
///     entity(e)    = name, isAbstract, [hash of the superentity],
///                    hashes of all persistent properties by name,
///                    versionHashModifier,
///                    own uniqueness constraints, each its names joined by ".", sorted
///
/// Transient and fetched properties, defaults, validation, delete rules, indexes and class names
/// are not part of a hash. Model documents and descriptions use these functions alike.
package enum VersionHash {
  /// The beginning of each property's hash.
  package struct Base {
    fileprivate let hash: [UInt8]

    package init(name: String, isOptional: Bool, modifier: String?) {
      hash = SHA256Digest.hash(
        VersionHash.bytes(name) + [isOptional ? 1 : 0, 0] + VersionHash.bytes(modifier ?? ""))
    }
  }

  package static func property(_ base: Base) -> Data { Data(base.hash) }

  package static func attribute(
    _ base: Base, type: UInt, isExternal: Bool, isPreservedOnDeletion: Bool
  ) -> Data {
    var message = base.hash + bytes(Int(type))
    if isExternal { message.append(1) }
    if isPreservedOnDeletion { message.append(1) }
    return Data(SHA256Digest.hash(message))
  }

  package static func composite(elements: [(name: String, hash: Data)]) -> Data {
    Data(SHA256Digest.hash(inCodePointOrder(elements).flatMap(\.hash)))
  }

  package static func relationship(
    _ base: Base, destination: String?, inverse: String?, isOwnInverse: Bool, maxCount: Int,
    minCount: Int, isOrdered: Bool
  ) -> Data {
    var message = base.hash + bytes(destination ?? "")
    if !isOwnInverse { message += bytes(inverse ?? "") }
    message += bytes(maxCount) + bytes(minCount)
    if isOrdered { message += [1, 0] }
    return Data(SHA256Digest.hash(message))
  }

  /// The hash of an entity; `properties` are its persistent properties with inherited ones.
  package static func entity(
    name: String, isAbstract: Bool, superentity: Data?, properties: [(name: String, hash: Data)],
    uniquenessConstraints: [[String]], modifier: String?
  ) -> Data {
    var message = bytes(name) + [isAbstract ? 1 : 0]
    if let superentity { message += superentity }
    for property in inCodePointOrder(properties) { message += property.hash }
    message += bytes(modifier ?? "")
    let constraints = uniquenessConstraints.map { $0.joined(separator: ".") }
    for constraint in constraints.sorted(by: precedes) { message += bytes(constraint) }
    return Data(SHA256Digest.hash(message))
  }

  /// The checksum of entity hashes for `NSStoreModelVersionChecksumKey`: SHA-256 over the hashes by
  /// name, in base64.
  package static func checksum(of hashes: [String: Data]) -> String {
    let message = inCodePointOrder(hashes.map { ($0.key, $0.value) }).flatMap(\.hash)
    return Data(SHA256Digest.hash(message)).base64EncodedString()
  }

  /// The digest of entity hashes for `NSStoreModelVersionHashesDigest`: SHA-512 over names and
  /// hashes, in base64.
  package static func digest(of hashes: [String: Data]) -> String {
    let message = inCodePointOrder(hashes.map { ($0.key, $0.value) }).flatMap {
      bytes($0.name) + $0.hash
    }
    return Data(SHA512Digest.hash(message)).base64EncodedString()
  }

  private static func inCodePointOrder(
    _ list: [(name: String, hash: Data)]
  ) -> [(name: String, hash: Data)] {
    list.sorted { precedes($0.name, $1.name) }
  }

  /// Compares by code points, which is the order of UTF-8 bytes. C's function is fast also in
  /// builds without optimisation, as tools and tests are.
  private static func precedes(_ left: String, _ right: String) -> Bool {
    strcmp(left, right) < 0
  }

  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static func bytes(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).littleEndian) { Array($0) }
  }
}
