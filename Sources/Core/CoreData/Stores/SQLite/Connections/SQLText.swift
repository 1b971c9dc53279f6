/// The text of a statement with its hash, computed once: the key of a connection's prepared
/// statements.
struct SQLText: Hashable {
  let text: String
  private let hash: Int

  init(_ text: String) {
    self.text = text
    hash = text.hashValue
  }

  static func == (left: SQLText, right: SQLText) -> Bool {
    left.hash == right.hash && left.text.hasBytes(of: right.text)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
