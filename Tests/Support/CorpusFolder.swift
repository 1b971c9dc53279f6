import Foundation

/// Real models, archives and stores, kept outside of the repository.
///
/// The environment variable `COREDATA_CORPUS` names the folder that has `data` in it. Unset, suites
/// that need it are skipped, and say so; set to a folder that is not there, they fail.
package enum CorpusFolder {
  package static let root = ProcessInfo.processInfo.environment["COREDATA_CORPUS"]

  package static func url(_ path: String) throws -> URL {
    let url = URL(fileURLWithPath: root ?? "/").appendingPathComponent("data/" + path)
    if FileManager.default.fileExists(atPath: url.path) { return url }
    throw Missing(description: "\(url.path) is missing")
  }

  private struct Missing: Error, CustomStringConvertible { let description: String }
}
