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
    left.hash == right.hash && left.hasBytes(of: right)
  }

  /// No statement is empty.
  private func hasBytes(of other: SQLText) -> Bool {
    let areSame = text.utf8.withContiguousStorageIfAvailable { mine in
      other.text.utf8.withContiguousStorageIfAvailable { others in
        guard let first = mine.baseAddress, let second = others.baseAddress else { return false }
        return mine.count == others.count && memcmp(first, second, mine.count) == 0
      }
    }
    return areSame.flatMap { $0 } ?? text.utf8.elementsEqual(other.text.utf8)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
