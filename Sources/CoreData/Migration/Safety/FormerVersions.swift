import Foundation

/// The versions of its model that a store has been led away from, by their checksums: noted in its metadata, so that a
/// program that was never brought up to date does not lead the store back and lose what came since.
///
/// Only what has been migrated knows them; a program that has the later version too may lead the store where it
/// wants.
package struct FormerVersions {
  private static let key = "OpenCoreDataFormerVersions"

  private let known: [String]

  package init(_ metadata: [String: Any]) { known = metadata[Self.key] as? [String] ?? [] }

  /// Notes in the metadata of a migrated store what it was before; on the way back that is what came before then.
  package static func note(_ old: [String: Any], in new: inout [String: Any]) {
    let own = checksum(new)
    let path = FormerVersions(old).known + [checksum(old)]
    let known = path.firstIndex(of: own).map { path[..<$0] } ?? path[...]
    new[key] = known.isEmpty ? nil : Array(known)
  }

  package func contains(_ model: NSManagedObjectModel, configuration: String?) -> Bool {
    known.contains(Self.checksum(StoreMetadata.versions(of: model, configuration: configuration)))
  }

  private static func checksum(_ metadata: [String: Any]) -> String {
    VersionHash.checksum(of: NSManagedObjectModel.versionHashes(inStoreMetadata: metadata) ?? [:])
  }
}
