/// The text of a statement, hashed once: under it a connection keeps the prepared statement.
struct SQLText: Hashable {
  let text: String
  private let hash: Int

  init(_ text: String) {
    self.text = text
    hash = text.hashValue
  }

  /// By their bytes: strings are equal whose letters and accents are put together in another way.
  static func == (left: SQLText, right: SQLText) -> Bool {
    left.hash == right.hash && left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
