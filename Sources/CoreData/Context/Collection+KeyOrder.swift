extension Collection {
  /// The elements in the order of keys that they have. What comes in the order of a set's hashes is all over the memory:
  /// to go through a million of them takes three times as long as to go from one to its neighbour.
  func inKeyOrder(_ key: (Element) -> UInt64) -> [Element] {
    let elements = Array(self)
    // What is few lies in the processor's caches.
    guard elements.count > 10_000 else { return elements }
    let keys = elements.indices.map { (key: key(elements[$0]), index: UInt32($0)) }
    return keys.sorted { $0.key < $1.key }.map { elements[Int($0.index)] }
  }
}
