import Foundation

/// The checksums of the model versions from which a store was migrated, kept in its metadata. They
/// prevent an outdated program from migrating the store back and losing newer data.
///
/// Only migrated stores have them. A program that also has the later version may migrate the store
/// to any version.
package struct FormerVersions {
  private static let key = "OpenCoreDataFormerVersions"

  private let known: [String]

  package init(_ metadata: [String: Any]) { known = metadata[Self.key] as? [String] ?? [] }

  /// Records the old version in the metadata of a migrated store. After a migration back, only the
  /// versions before the new one remain.
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
