import Foundation

/// The notes of the last run about each version of a model.
struct VersionNotes: Codable {
  struct Version: Codable, Equatable {
    /// A text that changes when the version's file does: module, size and date.
    let stamp: String
    let hashes: [String: Data]
  }

  /// The format of the notes; notes of another format are ignored.
  private static let currentFormat = 1

  private let format: Int
  let versions: [String: Version]

  init(versions: [String: Version]) {
    format = Self.currentFormat
    self.versions = versions
  }

  init(file: URL) {
    // Without readable notes, all versions are compiled again.
    let read = try? PropertyListDecoder().decode(Self.self, from: Data(contentsOf: file))
    self.init(versions: read?.format == Self.currentFormat ? read?.versions ?? [:] : [:])
  }

  func write(to file: URL) throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    try Output.write(try encoder.encode(self), to: file)
  }
}
