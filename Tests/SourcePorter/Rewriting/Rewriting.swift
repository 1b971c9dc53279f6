import Testing

/// A piece of source, and what it becomes.
struct Rewriting: CustomTestStringConvertible {
  let source: String
  let result: String

  init(_ source: String, _ result: String) {
    self.source = source
    self.result = result
  }

  var testDescription: String { source }
}
