import Foundation
import Testing
import TestSupport

/// What is in the folder of real models, archives and stores.
enum Corpus {
  static let root = CorpusFolder.root
  static let isNamed = root != nil
  static let reason: Comment = "COREDATA_CORPUS is not set: real models and stores are not at hand"

  static func url(_ path: String) throws -> URL { try CorpusFolder.url(path) }

  static func data(_ path: String) throws -> Data {
    try Data(contentsOf: url(path))
  }

  /// The files and folders under `path` whose names end in `suffix`.
  static func urls(under path: String, suffix: String) throws -> [URL] {
    let folder = try url(path)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    let urls = names.filter { $0.hasSuffix(suffix) }.sorted().map {
      folder.appendingPathComponent($0)
    }
    try #require(!urls.isEmpty, "no \(suffix) under \(folder.path)")
    return urls
  }

  /// The version hashes that a store notes, in hexadecimal, from the description beside it.
  static func hashes(ofStore store: String) throws -> [String: String] {
    let json = try JSONSerialization.jsonObject(with: data("stores/\(store).metadata.json"))
    let rows = try #require((json as? [String: Any])?["metadata"] as? [[String: Any]])
    let list = try #require(rows.first?["Z_PLIST"] as? [String: Any])
    let hashes = try #require(list["NSStoreModelVersionHashes"] as? [String: String])
    return hashes.mapValues { $0.replacingOccurrences(of: "hex:", with: "") }
  }
}
