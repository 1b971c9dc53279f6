// On Apple's systems these are SwiftUI's. Models use them to keep an order.

extension MutableCollection {
  /// Moves the elements at some offsets, in their order, before the element that is at the
  /// destination offset.
  ///
  /// - Complexity: O(n).
  ///
  /// Source: developer.apple.com/documentation/swift/mutablecollection/move(fromoffsets:tooffset:)
  public mutating func move(fromOffsets source: IndexSet, toOffset destination: Int) {
    let elements = Array(self)
    precondition(
      destination >= 0 && destination <= elements.count,
      "The offset \(destination) is outside of 0...\(elements.count)")
    let moved = source.map { elements[$0] }
    func rest(_ range: Range<Int>) -> [Element] {
      range.filter { !source.contains($0) }.map { elements[$0] }
    }
    let result = rest(0..<destination) + moved + rest(destination..<elements.count)
    for (index, element) in zip(Array(indices), result) { self[index] = element }
  }
}

extension RangeReplaceableCollection {
  /// Removes the elements at some offsets.
  ///
  /// Source: developer.apple.com/documentation/swift/rangereplaceablecollection/remove(atoffsets:)
  public mutating func remove(atOffsets offsets: IndexSet) {
    let rest = enumerated().filter { !offsets.contains($0.offset) }.map(\.element)
    replaceSubrange(startIndex..<endIndex, with: rest)
  }
}
