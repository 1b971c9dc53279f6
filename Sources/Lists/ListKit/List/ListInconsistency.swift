/// A batch of updates whose counts do not add up: a programming error, described with UIKit's text.
public struct ListInconsistency: Error, CustomStringConvertible, Sendable {
  /// UIKit's text, then the counts before and after and the operations of the batch.
  public let description: String
}

extension ListInconsistency {
  /// Appends the counts and the operations to the text, in the form that UIKit prints since iOS 15.
  init(_ text: String, batch: ListBatch, before: [Int], after: [Int]) {
    description = """
      \(text)
      Data source before updates = \(Self.summary(before, batch.words))
      Data source after updates = \(Self.summary(after, batch.words))
      Updates = [
      \(batch.descriptions.map { "\t\($0)" }.joined(separator: ",\n"))
      ]
      """
  }

  private static func summary(_ rows: [Int], _ words: ListWords) -> String {
    "{ \(rows.count) section\(rows.count == 1 ? "" : "s") with \(words.row) counts: \(rows) }"
  }
}
