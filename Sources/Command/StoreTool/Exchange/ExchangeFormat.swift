/// The format of an export or import.
package enum ExchangeFormat: String, CaseIterable, Sendable {
  /// A folder with a file for each entity.
  case csv
  /// One file, with an object per line.
  case jsonl
  /// One file with a table for each entity; for export only.
  case sql

  /// The format that the extension of a name stands for; JSON lines for any other.
  package init(ofFileNamed name: String) {
    let suffix = name.split(separator: "/").last?.split(separator: ".").dropFirst().last
    self = suffix.flatMap { ExchangeFormat(rawValue: $0.lowercased()) } ?? .jsonl
  }
}
