import CoreData
import ModelDocuments

/// The version hashes of a model, as stores record them.
package struct ModelHashes: Codable, Sendable {
  package let version: String
  package let checksum: String
  package let digest: String
  /// Hashes in hexadecimal, by entity name.
  package let entities: [String: String]

  package init(_ version: ModelSource.Version) {
    let hashes = version.model.entityVersionHashesByName
    self.version = version.name
    checksum = version.model.versionChecksum
    digest = VersionHash.digest(of: hashes)
    entities = hashes.mapValues { $0.map { String(format: "%02x", $0) }.joined() }
  }

  package var text: String {
    let width = entities.keys.map(\.count).max() ?? 0
    return
      (["\(version)", "  checksum \(checksum)", "  digest   \(digest)"]
      + entities.sorted { $0.key < $1.key }.map {
        "  \($0.key.padding(toLength: width, withPad: " ", startingAt: 0))  \($0.value)"
      }).joined(separator: "\n")
  }
}
