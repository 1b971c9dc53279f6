import Foundation

/// The property list of a `.momd` with the model's versions.
///
///     NSManagedObjectModel_CurrentVersionName   the name; missing if there never was another
///                                               version
///     NSManagedObjectModel_VersionHashes        {version: {entity: hash, 32 bytes}}
///     NSManagedObjectModel_VersionChecksums     {version: base64}
package struct VersionInfo {
  package static let fileName = "VersionInfo.plist"

  private static let current = "NSManagedObjectModel_CurrentVersionName"
  private static let hashes = "NSManagedObjectModel_VersionHashes"
  private static let checksums = "NSManagedObjectModel_VersionChecksums"

  package var currentVersion: String?
  package var hashes: [String: [String: Data]]

  package init(currentVersion: String?, hashes: [String: [String: Data]]) {
    self.currentVersion = currentVersion
    self.hashes = hashes
  }

  package init(data: Data, file: String) throws {
    guard let table = Self.propertyList(in: data) as? [String: Any] else {
      throw ModelFileError(file: file, problem: "this is not a property list")
    }
    currentVersion = table[Self.current] as? String
    hashes = table[Self.hashes] as? [String: [String: Data]] ?? [:]
  }

  /// Parses a property list. The reader of this module needs a tenth of Foundation's time for
  /// thousands of hashes; Foundation parses XML property lists.
  private static func propertyList(in data: Data) -> Any? {
    // Foundation's error would only say "corrupt"; the caller's error names the file.
    BinaryPropertyListReader.value(of: data)
      ?? (try? PropertyListSerialization.propertyList(from: data, format: nil))
  }

  /// The contents of the file; equal versions give equal bytes.
  package func data() throws -> Data {
    var table: [String: Any] = [
      Self.hashes: hashes, Self.checksums: hashes.mapValues(VersionHash.checksum),
    ]
    table[Self.current] = currentVersion
    return try BinaryPropertyList.data(table)
  }
}
