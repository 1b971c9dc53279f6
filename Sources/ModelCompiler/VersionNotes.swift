import Foundation

/// What the last run noted of each version of a model.
struct VersionNotes: Codable {
  struct Version: Codable, Equatable {
    /// What tells a file that has changed from one that has not.
    let stamp: String
    let hashes: [String: Data]
  }

  /// Notes with another number are as good as none.
  private static let currentFormat = 1

  private let format: Int
  let versions: [String: Version]

  init(versions: [String: Version]) {
    format = Self.currentFormat
    self.versions = versions
  }

  init(file: URL) {
    // Notes that are missing or cannot be read are as good as none: everything is made anew.
    let read = try? PropertyListDecoder().decode(Self.self, from: Data(contentsOf: file))
    self.init(versions: read?.format == Self.currentFormat ? read?.versions ?? [:] : [:])
  }

  func write(to file: URL) throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    try Output.write(try encoder.encode(self), to: file)
  }
}
