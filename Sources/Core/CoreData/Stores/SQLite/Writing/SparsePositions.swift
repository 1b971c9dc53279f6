/// Assigns ascending positions to the members of an ordered relationship, and keeps as many of the
/// former positions as possible.
struct SparsePositions {
  let step: Int64

  /// The new positions in the new order.
  ///
  /// - Parameter old: the former positions in the new order; nil for a new member.
  func positions(of old: [Int64?]) -> [Int64] {
    var result: [Int64?] = Array(repeating: nil, count: old.count)
    for index in ascending(old) { result[index] = old[index] }
    return filled(result) ?? fresh(old.count)
  }

  /// Positions 2048, 3072, …, with which Apple's files begin.
  private func fresh(_ count: Int) -> [Int64] {
    (0..<Int64(count)).map { ($0 + 2) * step }
  }

  /// The indexes of the longest ascending subsequence of positions: patience sorting, O(n log n).
  private func ascending(_ old: [Int64?]) -> [Int] {
    var tails: [Int] = []
    var previous: [Int?] = Array(repeating: nil, count: old.count)
    for (index, position) in old.enumerated() {
      guard let position else { continue }
      var (low, high) = (0, tails.count)
      while low < high {
        let middle = (low + high) / 2
        if (old[tails[middle]] ?? 0) < position { low = middle + 1 } else { high = middle }
      }
      previous[index] = low > 0 ? tails[low - 1] : nil
      if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var run: [Int] = []
    var next = tails.last
    while let index = next {
      run.append(index)
      next = previous[index]
    }
    return run.reversed()
  }

  /// Fills the gaps evenly; nil if one is too narrow.
  private func filled(_ positions: [Int64?]) -> [Int64]? {
    var result: [Int64] = []
    var last: Int64 = step
    var index = 0
    while index < positions.count {
      if let position = positions[index] {
        result.append(position)
        (last, index) = (position, index + 1)
        continue
      }
      let end = positions[index...].firstIndex { $0 != nil } ?? positions.count
      let count = Int64(end - index)
      let next = end < positions.count ? positions[end] ?? 0 : last + step * (count + 1)
      let gap = (next - last) / (count + 1)
      guard gap > 0 else { return nil }
      result += (1...count).map { last + gap * $0 }
      (last, index) = (last + gap * count, end)
    }
    return result
  }
}
