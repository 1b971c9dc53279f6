/// The format of an export or import.
package enum ExchangeFormat: String, CaseIterable, Sendable {
  /// A folder with a file for each entity.
  case csv
  /// One file, with an object per line.
  case jsonl
  /// One file with a table for each entity; for export only.
  case sql
}
