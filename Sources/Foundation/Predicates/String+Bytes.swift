import Foundation

extension String {
  /// Returns whether both strings have equal bytes. `==` also holds for strings that compose
  /// letters and accents differently.
  package func hasBytes(of other: String) -> Bool {
    let areSame = utf8.withContiguousStorageIfAvailable { mine in
      other.utf8.withContiguousStorageIfAvailable { others in
        guard mine.count == others.count else { return false }
        guard let first = mine.baseAddress, let second = others.baseAddress else { return true }
        return memcmp(first, second, mine.count) == 0
      }
    }
    return areSame.flatMap { $0 } ?? utf8.elementsEqual(other.utf8)
  }
}
