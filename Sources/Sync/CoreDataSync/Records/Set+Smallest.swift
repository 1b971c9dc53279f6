extension Set where Element: Comparable {
  /// The smallest members in their order, at most `count`, of those that are included, without
  /// sorting all of a large set.
  func smallest(_ count: Int, where isIncluded: (Element) -> Bool = { _ in true }) -> [Element] {
    if self.count > 8 * count, let bound = bound(of: count) {
      let below = Array(self).filter { $0 <= bound && isIncluded($0) }.sorted()
      if below.count >= count { return Array(below.prefix(count)) }
    }
    return Array(Array(self).filter(isIncluded).sorted().prefix(count))
  }

  /// A member that some more than `count` members are below of, by a sample.
  private func bound(of count: Int) -> Element? {
    let step = Swift.max(1, self.count / 512)
    var sample: [Element] = []
    for (place, member) in enumerated() where place % step == 0 { sample.append(member) }
    sample.sort()
    let place = (2 * count * sample.count) / self.count + 8
    return sample.indices.contains(place) ? sample[place] : nil
  }
}

extension Set {
  mutating func set(_ member: Element, isMember: Bool) {
    if isMember { insert(member) } else { remove(member) }
  }
}
