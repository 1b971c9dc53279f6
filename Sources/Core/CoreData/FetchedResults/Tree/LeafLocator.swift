/// Maps each word of a tree to its leaf.
///
///     segments: words of one entity differ in their lower 40 bits only and are mostly dense there:
///               ┌ base ┬ leaf + 1 │ 0 │ leaf + 1 │ … ┐   index = word − base, 0 = absent
///     rest:     a hash table for the others (temporary identities, scattered keys)
///
/// A segment is made if its words fill at least an eighth of it, and grows when keys are appended.
/// A word is in one of the two; the segments are searched first.
final class LeafLocator {
  private struct Segment {
    let base: UInt64
    var leaves: ContiguousArray<UInt32>

    func index(_ word: UInt64) -> Int? {
      let distance = word &- base
      return distance < UInt64(leaves.count) ? Int(distance) : nil
    }
  }

  private static let prefixShift: UInt64 = 40
  private static let leastDensity = 8
  private static let mostSegments = 8

  private(set) var count = 0
  @exclusivity(unchecked)
  private var segments: ContiguousArray<Segment> = []
  @exclusivity(unchecked)
  private var rest = SparseLeafTable()

  /// A locator with empty segments laid out for the words of a tree.
  init(words tree: OrderStatisticTree) {
    let dense = Self.extents(of: tree).filter { $0.span / Self.leastDensity <= $0.count }
    for extent in dense.sorted(by: { $0.count > $1.count }).prefix(Self.mostSegments) {
      let length = extent.span + extent.span / 4 + 64
      segments.append(
        Segment(base: extent.low, leaves: ContiguousArray(repeating: 0, count: length)))
    }
  }

  /// The extents, one for each prefix. Neighbours mostly share a prefix, so the last one is tried
  /// first.
  private static func extents(of tree: OrderStatisticTree) -> [Extent] {
    var extents: [Extent] = []
    var numbers: [UInt64: Int] = [:]
    var last = 0
    tree.forEach { word, _ in
      if extents.isEmpty || extents[last].low >> prefixShift != word >> prefixShift {
        last = numbers[word >> prefixShift] ?? extents.count
        numbers[word >> prefixShift] = last
        if last == extents.count { extents.append(Extent(word)) }
      }
      extents[last].add(word)
    }
    return extents
  }

  private struct Extent {
    var low: UInt64
    var high: UInt64
    var count = 0

    init(_ word: UInt64) { (low, high) = (word, word) }

    var span: Int { Int(high - low) + 1 }

    mutating func add(_ word: UInt64) {
      low = min(low, word)
      high = max(high, word)
      count += 1
    }
  }

  func leaf(of word: UInt64) -> Node? {
    for number in segments.indices {
      if let index = segments[number].index(word) {
        let found = segments[number].leaves[index]
        if found != 0 { return found - 1 }
      }
    }
    return rest[word]
  }

  /// Sets the leaf of a word.
  func set(_ word: UInt64, leaf: Node) {
    for number in segments.indices {
      guard let index = place(word, inSegment: number) else { continue }
      if segments[number].leaves[index] == 0 {
        if rest.remove(word) { count -= 1 }
        count += 1
      }
      segments[number].leaves[index] = leaf + 1
      return
    }
    if rest.set(word, leaf: leaf) { count += 1 }
  }

  /// The word's index in a segment, which grows if the word is shortly past its end.
  private func place(_ word: UInt64, inSegment number: Int) -> Int? {
    if let index = segments[number].index(word) { return index }
    let length = segments[number].leaves.count
    let distance = word &- segments[number].base
    guard distance < UInt64(length + length / 2), word >> Self.prefixShift == prefix(number) else {
      return nil
    }
    let added = length / 2 + 1
    segments[number].leaves.append(contentsOf: repeatElement(0, count: added))
    return Int(distance)
  }

  private func prefix(_ number: Int) -> UInt64 { segments[number].base >> Self.prefixShift }

  func remove(_ word: UInt64) {
    for number in segments.indices {
      if let index = segments[number].index(word), segments[number].leaves[index] != 0 {
        segments[number].leaves[index] = 0
        count -= 1
        return
      }
    }
    if rest.remove(word) { count -= 1 }
  }
}
