/// Which records refer to a record, in two layers as ``Layered``, of which an edit of one referrer
/// copies none of the others: a folder may have a million notes.
struct ReferrerIndex {
  private final class Base {
    let numbers: RecordNumbers
    /// By a record's number: one more than the number of one of its referrers; 0 where it has none.
    private var firsts: [UInt32] = []
    /// The other referrers of those that have several.
    private var others: [UInt32: Set<UInt32>] = [:]

    init(_ numbers: RecordNumbers) { self.numbers = numbers }

    func contains(_ referrer: RecordID, of id: RecordID) -> Bool {
      guard let target = numbers.number(id), let number = numbers.number(referrer) else {
        return false
      }
      return first(of: target) == number || others[target]?.contains(number) ?? false
    }

    func referrers(of id: RecordID) -> Set<RecordID> {
      guard let target = numbers.number(id), let first = first(of: target) else { return [] }
      var all: Set<RecordID> = []
      all.reserveCapacity(1 + (others[target]?.count ?? 0))
      all.insert(numbers.id(first))
      for number in others[target] ?? [] { all.insert(numbers.id(number)) }
      return all
    }

    func insert(_ referrer: RecordID, of id: RecordID) {
      let (target, number) = (numbers.add(id), numbers.add(referrer))
      if firsts.count <= target {
        firsts += Array(repeating: 0, count: numbers.count - firsts.count)
      }
      switch first(of: target) {
      case nil: firsts[Int(target)] = number + 1
      case number: break
      default: others[target, default: []].insert(number)
      }
    }

    func remove(_ referrer: RecordID, of id: RecordID) {
      guard let target = numbers.number(id), let number = numbers.number(referrer) else { return }
      if first(of: target) == number {
        firsts[Int(target)] = others[target]?.popFirst().map { $0 + 1 } ?? 0
      } else {
        others[target]?.remove(number)
      }
      if others[target]?.isEmpty ?? false { others[target] = nil }
    }

    private func first(of target: UInt32) -> UInt32? {
      guard target < firsts.count, firsts[Int(target)] > 0 else { return nil }
      return firsts[Int(target)] - 1
    }
  }

  private let base: Base
  private var added: [RecordID: Set<RecordID>] = [:]
  private var removed: [RecordID: Set<RecordID>] = [:]

  init(_ numbers: RecordNumbers) { base = Base(numbers) }

  subscript(id: RecordID) -> Set<RecordID> {
    var all = base.referrers(of: id)
    if let removed = removed[id] { all.subtract(removed) }
    if let added = added[id] { all.formUnion(added) }
    return all
  }

  mutating func insert(_ referrer: RecordID, of id: RecordID) {
    if removed[id]?.remove(referrer) == nil, !base.contains(referrer, of: id) {
      added[id, default: []].insert(referrer)
    }
  }

  mutating func remove(_ referrer: RecordID, of id: RecordID) {
    if added[id]?.remove(referrer) == nil, base.contains(referrer, of: id) {
      removed[id, default: []].insert(referrer)
    }
  }

  /// Makes the edits part of what all copies share.
  mutating func fold() {
    for (id, referrers) in removed {
      for referrer in referrers { base.remove(referrer, of: id) }
    }
    for (id, referrers) in added {
      for referrer in referrers { base.insert(referrer, of: id) }
    }
    (added, removed) = ([:], [:])
  }
}
