/// How objects are exchanged.
package enum ExchangeFormat: String, CaseIterable, Sendable {
  /// A folder with a file for each entity.
  case csv
  /// One file, an object a line.
  case jsonl
  /// One file with tables by the names of the model; only to be written.
  case sql
}
