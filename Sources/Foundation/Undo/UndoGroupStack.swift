/// The closed top-level groups, newest last, with a limit on their number.
///
///     groups:  [nil nil nil | oldest … newest]
///                           ^ first
///
/// Dropping the oldest group only moves `first`. The empty slots before it are removed when they
/// make up half of the array, so that push, pop and drop are O(1), amortised.
struct UndoGroupStack {
  private var groups: [UndoGroup?] = []
  private var first = 0

  /// The maximum number of groups; 0 for no limit. Lowering it drops the oldest groups at once.
  var limit = 0 {
    didSet { dropOldest() }
  }

  var count: Int { groups.count - first }
  var isEmpty: Bool { count == 0 }
  var last: UndoGroup? { groups.last ?? nil }

  mutating func push(_ group: UndoGroup) {
    groups.append(group)
    dropOldest()
  }

  mutating func pop() -> UndoGroup? {
    isEmpty ? nil : groups.removeLast()
  }

  mutating func removeAll() {
    groups = []
    first = 0
  }

  /// Removes the actions of the target, and the groups that become empty.
  mutating func removeActions(of target: ObjectIdentifier) {
    groups = groups[first...].filter { group in
      guard let group, group.removeActions(of: target) else { return true }
      return !group.items.isEmpty
    }
    first = 0
  }

  private mutating func dropOldest() {
    guard limit > 0 else { return }
    while count > limit {
      groups[first] = nil
      first += 1
    }
    compactIfHalfEmpty()
  }

  private mutating func compactIfHalfEmpty() {
    guard first > 16, first * 2 > groups.count else { return }
    groups.removeFirst(first)
    first = 0
  }
}
