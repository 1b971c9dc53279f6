import CoreData
import Synchronization
import Testing

/// Two people change one family, the first through a context, its child or its child's child. Either one of them meets a
/// conflict, or the store has what it would have if the one had begun after the other had ended.
@Suite struct SerialSavesTests {
  enum Moment: String, CaseIterable, Sendable {
    /// The other saves before the first reads.
    case before
    case between
    /// The other has read before the first saves, and saves after it.
    case after
  }

  private static let rules = [NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule]

  @Test(arguments: [0, 1, 2], Moment.allCases)
  func nothingIsLostInMemory(depth: Int, moment: Moment) throws {
    try check(.inMemory, depth, moment, merges: false)
    if depth > 0, moment == .between { try check(.inMemory, depth, moment, merges: true) }
  }

  @Test(arguments: StoreKind.all.filter(\.speaksSQL), [1, 2])
  func nothingIsLostInADatabase(_ kind: StoreKind, depth: Int) throws {
    try check(kind, depth, .between, merges: false, every: kind == .sqlite ? 2 : 7)
  }

  /// - Parameter step: each how many-th pair of changes is tried.
  private func check(
    _ kind: StoreKind, _ depth: Int, _ moment: Moment, merges: Bool, every step: Int = 1
  ) throws {
    var differences: [String] = []
    var conflicts = 0
    var number = 0
    for rule in Self.rules {
      for here in FamilyChange.all {
        for there in FamilyChange.all {
          number += 1
          guard number % step == 0 else { continue }
          let found = try outcome(kind, rule, here, there, depth, moment, merges: merges)
          guard let found else {
            conflicts += 1
            if moment == .before { differences.append("\(here), \(there): a conflict") }
            continue
          }
          let serial = try Self.serial(rule, here, there)
          if serial.contains(found) { continue }
          differences.append(
            "\(here), \(there): \(found)\n    \(serial.joined(separator: "\n    "))")
        }
      }
    }
    #expect(differences.isEmpty, "\(differences.count):\n\(differences.joined(separator: "\n"))")
    #expect(moment == .before || conflicts > 50 / step)
  }

  /// What the store has in the end; nil after a conflict.
  private func outcome(
    _ kind: StoreKind, _ rule: NSDeleteRule, _ here: FamilyChange, _ there: FamilyChange,
    _ depth: Int, _ moment: Moment, merges: Bool
  ) throws -> String? {
    let stack = try ItemFamily.stack(kind, rule)
    let chain = ContextChain(stack, depth: depth)
    let other = stack.makeContext()
    func saveThere(_ family: ItemFamily) throws {
      there.make(family)
      let note = try Notifications.ofSave(other)
      if merges { chain.root.mergeChanges(fromContextDidSave: note) }
    }
    do {
      try other.performAndWait {
        try chain.inside {
          let theirs = try ItemFamily(other)
          if moment == .before { try saveThere(theirs) }
          // What is left of a family cannot be changed as a whole one.
          if moment == .before, there.deletes { return }
          let ours = try ItemFamily(chain.leaf)
          let held = merges ? try ItemFamily(chain.root) : nil
          if moment == .between { try saveThere(theirs) }
          here.make(ours)
          try chain.save()
          if moment == .after { try saveThere(theirs) }
          withExtendedLifetime((theirs, ours, held)) {}
        }
      }
    } catch let error as NSError {
      guard error.conflictingObjects != nil else { throw error }
      return nil
    }
    return try stack.withContext(ItemFamily.describe)
  }

  private static let known = Mutex<[String: [String]]>([:])

  /// What the store has when one begins after the other has ended, in both orders.
  private static func serial(
    _ rule: NSDeleteRule, _ here: FamilyChange, _ there: FamilyChange
  ) throws -> [String] {
    let key = "\(rule.rawValue) \(here) \(there)"
    if let known = known.withLock({ $0[key] }) { return known }
    let made = try [(here, there), (there, here)].map { try inTurn(rule, $0, $1) }
    known.withLock { $0[key] = made }
    return made
  }

  private static func inTurn(
    _ rule: NSDeleteRule, _ first: FamilyChange, _ second: FamilyChange
  ) throws -> String {
    let stack = try ItemFamily.stack(.inMemory, rule)
    let (one, two) = (stack.makeContext(), stack.makeContext())
    try one.performAndWait {
      try two.performAndWait {
        let (ours, theirs) = (try ItemFamily(one), try ItemFamily(two))
        first.make(ours)
        two.mergeChanges(fromContextDidSave: try Notifications.ofSave(one))
        try two.save()
        second.make(theirs)
        try two.save()
        withExtendedLifetime((ours, theirs)) {}
      }
    }
    return try stack.withContext(ItemFamily.describe)
  }
}
