import CoreData
import Testing

@testable import CoreDataSamples

/// One context has unsaved changes when it takes over what another one has saved: both ends of each relationship agree at
/// once, and after its save with the store. Every change here with every change there; where a merge policy decides, of
/// parents and children: it decides row by row, and may leave the two ends of a relationship between two ones or two many,
/// or with an object that it has brought back, different from each other.
@Suite struct BothEndsTests {
  /// How the context learns of the other's save.
  enum Way: String, CaseIterable, Sendable {
    case merge, refresh
    case objectTrump, storeTrump, overwrite, rollback

    var policy: NSMergePolicy? {
      switch self {
      case .merge, .refresh: nil
      case .objectTrump: .mergeByPropertyObjectTrump
      case .storeTrump: .mergeByPropertyStoreTrump
      case .overwrite: .overwrite
      case .rollback: .rollback
      }
    }
  }

  private static let forms = [
    (NSDeleteRule.nullifyDeleteRule, false), (.cascadeDeleteRule, false),
    (.nullifyDeleteRule, true),
  ]

  @Test(arguments: Way.allCases)
  func agreeInMemory(_ way: Way) throws { try check(.inMemory, way) }

  @Test(arguments: StoreKind.all.filter(\.speaksSQL), [Way.merge, .objectTrump, .storeTrump])
  func agreeInADatabase(_ kind: StoreKind, _ way: Way) throws {
    try check(kind, way, every: kind == .sqlite ? 2 : 7)
  }

  private func check(_ kind: StoreKind, _ way: Way, every step: Int = 1) throws {
    var differences: [String] = []
    var number = 0
    for (rule, isOrdered) in Self.forms {
      let changes = way.policy == nil ? FamilyChange.all : FamilyChange.ofChildren
      for here in changes {
        for there in changes {
          number += 1
          guard number % step == 0, Sample.takes(number) else { continue }
          for readsMembers in [false, true] {
            let wrong = try difference(kind, rule, isOrdered, here, there, way, readsMembers)
            guard let wrong else { continue }
            differences.append(
              "\(rule)\(isOrdered ? ", ordered" : ""), here \(here), there \(there), "
                + "\(readsMembers ? "members read" : ""): \(wrong)")
          }
        }
      }
    }
    #expect(differences.isEmpty, "\(differences.count):\n\(differences.joined(separator: "\n"))")
  }

  private func difference(
    _ kind: StoreKind, _ rule: NSDeleteRule, _ isOrdered: Bool, _ here: FamilyChange,
    _ there: FamilyChange, _ way: Way, _ readsMembers: Bool
  ) throws -> String? {
    let stack = try ItemFamily.stack(kind, rule, isOrdered: isOrdered)
    let (context, other) = (stack.makeContext(), stack.makeContext())
    return try context.performAndWait {
      try other.performAndWait { () throws -> String? in
        let (ours, theirs) = (try ItemFamily(context), try ItemFamily(other))
        defer { withExtendedLifetime((ours, theirs)) {} }
        if readsMembers { _ = try ItemFamily.describe(context) }
        here.make(ours)
        context.processPendingChanges()
        there.make(theirs)
        let note = try Notifications.ofSave(other)
        switch way {
        case .merge: context.mergeChanges(fromContextDidSave: note)
        case .refresh: context.refreshAllObjects()
        default: context.mergePolicy = way.policy ?? .error
        }
        if way == .merge, let wrong = try FamilyState(context).disagreement {
          return "after the merge \(wrong)"
        }
        do { try context.save() } catch let error as NSError {
          // What is deleted here and was changed there.
          guard way.policy == nil, error.conflictingObjects != nil else { throw error }
          context.rollback()
        }
        if way != .merge { context.mergeChanges(fromContextDidSave: note) }
        if context.hasChanges { try context.save() }
        let (found, stored) = (
          try FamilyState(context), try stack.withContext { try FamilyState($0) }
        )
        if let wrong = stored.disagreement { return "in the store \(wrong)" }
        if let wrong = found.disagreement { return "after the save \(wrong)" }
        if found != stored { return "\(found) and not \(stored)" }
        return nil
      }
    }
  }

  /// The case that a user has seen.
  @Test(arguments: StoreKind.all)
  func whoMovesAChildLastShowsItAmongTheChildrenOfOneParent(_ kind: StoreKind) throws {
    let stack = try TestStack(kind)
    let (winner, loser) = (stack.makeContext(), stack.makeContext())
    try winner.performAndWait {
      try loser.performAndWait {
        let titles = ["from", "one", "two"]
        let lists = titles.map { winner.makeItem($0) }
        let child = winner.makeItem("child", in: lists[0])
        try winner.save()
        child.parent = lists[2]
        let others = try loser.items()
        others.first { $0.title == "child" }?.parent = others.first { $0.title == "one" }
        let note = try Notifications.ofSave(loser)
        winner.mergeChanges(fromContextDidSave: note)
        #expect(lists.map(\.children.count) == [0, 0, 1])
        try winner.save()
        #expect(lists.map(\.children.count) == [0, 0, 1])
        winner.reset()
        let stored = try winner.items()
        #expect(stored.map(\.children.count) == [0, 0, 0, 1])
      }
    }
  }
}
