import CoreData
import Testing

@testable import CoreDataSamples

/// A child's edit is judged by what the child has read, whatever has become of its parents' objects meanwhile.
@Suite struct StaleChildTests {
  /// What happens in the root, apart from another context's save.
  enum Root: String, CaseIterable, Sendable {
    /// Nobody has its object.
    case forgets
    /// Somebody has its object, which is a fault.
    case refreshes
    case asksForAFault
    /// Somebody has its object, with its values.
    case holds
    case merges
    /// The other's save comes between the child's and the root's.
    case mergesAfterThePush
    case refreshesAfterThePush
    case isMergedAutomatically

    var isLate: Bool { self == .mergesAfterThePush || self == .refreshesAfterThePush }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let kind: StoreKind
    let depth: Int
    let root: Root

    var testDescription: String { "\(kind.rawValue), \(depth) children, the root \(root.rawValue)" }

    static let all = StoreKind.all.flatMap { kind in
      [1, 2].flatMap { depth in
        Root.allCases.map { Case(kind: kind, depth: depth, root: $0) }
      }
    }
  }

  /// A chain whose leaf has set the order of an item to 0 and saved that, and another context that adds 5.
  private final class Scene {
    let stack: TestStack
    let chain: ContextChain
    let item: Item
    private let root: Root
    private var held: NSManagedObject?

    init(_ one: Case) throws {
      stack = try TestStack(one.kind)
      try stack.withContext { context in
        context.makeItem("a", order: 7)
        try context.save()
      }
      chain = ContextChain(stack, depth: one.depth)
      root = one.root
      let (chain, stack) = (chain, stack)
      item = try UncheckedBox(
        chain.inside {
          chain.root.automaticallyMergesChangesFromParent = one.root == .isMergedAutomatically
          let item = try #require(try chain.leaf.items().first)
          item.order = 0
          try chain.save()
          return item
        }
      ).value
      _ = stack
    }

    /// The leaf counts up and saves to the store, while the other adds 5.
    func run(_ edit: (Item) -> Void = { $0.order += 1 }) throws {
      chain.inside { prepareRoot() }
      if !root.isLate { try addFive() }
      try chain.inside {
        edit(item)
        try chain.saveIntoRoot()
      }
      if root.isLate {
        try addFive()
        if root == .refreshesAfterThePush { chain.root.refreshAllObjects() }
      }
      try chain.inside { try chain.save() }
    }

    private func prepareRoot() {
      let id = item.objectID
      switch root {
      case .refreshes:
        held = chain.root.object(with: id)
        _ = held?.value(forKey: "order")
        chain.root.refreshAllObjects()
      case .asksForAFault: held = chain.root.object(with: id)
      case .holds, .merges, .isMergedAutomatically:
        held = chain.root.object(with: id)
        _ = held?.value(forKey: "order")
      case .forgets, .mergesAfterThePush, .refreshesAfterThePush: break
      }
    }

    private func addFive() throws {
      let note = try stack.withContext { other in
        let item = try #require(try other.items().first)
        item.order += 5
        item.title = "theirs"
        return try Notifications.ofSave(other)
      }
      if root == .merges || root == .mergesAfterThePush {
        chain.root.performAndWait { chain.root.mergeChanges(fromContextDidSave: note) }
      }
      // What was put on the root's queue is done by then.
      chain.root.performAndWait {}
    }

    var saved: String {
      get throws {
        try stack.withContext { context in
          try context.items().map { "\($0.title ?? ""):\($0.order)" }.joined(separator: ", ")
        }
      }
    }
  }

  @Test(arguments: Sample.of(Case.all))
  func underTheErrorPolicyNothingIsOverwrittenThatTheChildHasNotSeen(_ one: Case) throws {
    let scene = try Scene(one)
    let error = try #require(throws: NSError.self) { try scene.run() }
    #expect(error.conflictingObjects?.map(\.objectID) == [scene.item.objectID])
    #expect(try scene.saved == "theirs:5")
    scene.chain.giveUp()
    try scene.chain.inside {
      let item = try #require(try scene.chain.leaf.items().first)
      #expect(item.order == 5)
      item.order += 1
      try scene.chain.save()
    }
    #expect(try scene.saved == "theirs:6")
  }

  @Test(arguments: Sample.of(Case.all))
  func aPolicyOfTheRootComparesWithWhatTheChildHasRead(_ one: Case) throws {
    for (policy, expected) in [
      (NSMergePolicy.mergeByPropertyObjectTrump, "theirs:1"),
      (.mergeByPropertyStoreTrump, "theirs:5"), (.rollback, "theirs:5"),
    ] {
      let scene = try Scene(one)
      scene.chain.root.mergePolicy = policy
      try scene.run()
      #expect(try scene.saved == expected, "\(policy.mergeType)")
    }
  }

  @Test(arguments: Sample.of(Case.all.filter { !$0.root.isLate }))
  func aPolicyOfTheChildsOwnGoesBeforeTheRoots(_ one: Case) throws {
    let scene = try Scene(one)
    scene.chain.root.mergePolicy = NSMergePolicy.rollback
    scene.chain.leaf.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    for context in scene.chain.contexts.dropFirst() {
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    }
    // The row that the root holds is old: what it meets in the store is a matter of its own.
    let isSettledAbove = one.root == .holds
    try scene.run()
    #expect(try scene.saved == (isSettledAbove ? "theirs:5" : "theirs:1"))
  }

  @Test(arguments: Sample.of(Case.all))
  func whatTheOtherHasChangedIsNotDeletedUnseen(_ one: Case) throws {
    let scene = try Scene(one)
    let error = try #require(throws: NSError.self) {
      try scene.run { $0.managedObjectContext?.delete($0) }
    }
    #expect(error.conflictingObjects?.count == 1)
    #expect(try scene.saved == "theirs:5")
  }

  @Test(arguments: Sample.of(Case.all.filter { !$0.root.isLate }))
  func whatTheChildReliesUponIsComparedToo(_ one: Case) throws {
    let scene = try Scene(one)
    let error = try #require(throws: NSError.self) {
      try scene.run { item in
        item.managedObjectContext?.detectConflicts(for: item)
        item.managedObjectContext?.makeItem("new")
      }
    }
    #expect(error.conflictingObjects?.count == 1)
    #expect(try scene.saved == "theirs:5")
  }

  /// The parents forget, read anew what they have saved, and no conflict is made up.
  @Test(arguments: StoreKind.all, [1, 2])
  func whoIsAloneMeetsNoConflict(_ kind: StoreKind, depth: Int) throws {
    let stack = try TestStack(kind)
    let chain = ContextChain(stack, depth: depth)
    try chain.inside {
      let item = chain.leaf.makeItem("a")
      item.setValue(Date(timeIntervalSinceReferenceDate: 1.000_000_123_456), forKey: "date")
      for round in 1...4 {
        try chain.save()
        item.order += 1
        if round == 2 { item.setValue(Date(timeIntervalSinceReferenceDate: 0.1), forKey: "date") }
        if round == 3 { chain.leaf.makeItem("inner", in: item) }
      }
      try chain.save()
      chain.leaf.delete(item)
      try chain.save()
    }
    #expect(try stack.withContext { try $0.titles() } == [])
  }

  @Test(arguments: StoreKind.all)
  func whatTheParentHasEditedAndNotSavedIsNotOverwrittenUnseen(_ kind: StoreKind) throws {
    let stack = try TestStack(kind)
    let chain = ContextChain(stack, depth: 1)
    try chain.inside {
      let above = chain.root.makeItem("a")
      try chain.root.save()
      let below = try #require(try chain.leaf.items().first)
      #expect(below.order == 0)
      above.order = 5
      below.order += 1
      let error = try #require(throws: NSError.self) { try chain.leaf.save() }
      #expect(error.conflictingObjects == [below])
      let list = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
      #expect(list?.first?.objectSnapshot?["order"] as? Int64 == 0)
      #expect(list?.first?.cachedSnapshot?["order"] as? Int64 == 5)
      #expect(above.order == 5 && below.order == 1 && below.hasChanges)
      chain.leaf.refresh(below, mergeChanges: false)
      below.order += 1
      try chain.save()
      #expect(above.order == 6)
    }
  }

  @Test(arguments: StoreKind.all)
  func twoChildrenOfOneParentDoNotOverwriteEachOther(_ kind: StoreKind) throws {
    let stack = try TestStack(kind)
    let chain = ContextChain(stack, depth: 1)
    let sibling = NSManagedObjectContext(.privateQueue)
    sibling.parent = chain.root
    try sibling.performAndWait {
      try chain.inside {
        chain.root.makeItem("a")
        try chain.root.save()
        let items = try [chain.leaf, sibling].map { try #require(try $0.items().first) }
        for item in items { #expect(item.order == 0) }
        for item in items { item.order += 1 }
        try chain.leaf.save()
        let error = try #require(throws: NSError.self) { try sibling.save() }
        #expect(error.conflictingObjects == [items[1]])
        sibling.refresh(items[1], mergeChanges: false)
        items[1].order += 1
        try sibling.save()
        try chain.root.save()
      }
    }
    #expect(try stack.withContext { try $0.items().map(\.order) } == [2])
  }

  /// The other's new member is not in what the child's delete rule has met.
  @Test(arguments: StoreKind.all, [NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule])
  func anOwnerIsNotDeletedWithMembersThatTheChildHasNotSeen(
    _ kind: StoreKind, _ rule: NSDeleteRule
  ) throws {
    for depth in [1, 2] {
      let stack = try ItemFamily.stack(kind, rule)
      let chain = ContextChain(stack, depth: depth)
      try chain.inside {
        let family = try ItemFamily(chain.leaf)
        #expect(family.parent.children.count == 2)
        try stack.withContext { other in
          let parent = try ItemFamily(other).parent
          other.makeItem("new", order: 6, in: parent)
          try other.save()
        }
        chain.leaf.delete(family.parent)
        let error = try #require(throws: NSError.self) { try chain.save() }
        #expect(error.conflictingObjects?.isEmpty == false)
        withExtendedLifetime(family) {}
      }
      #expect(try stack.withContext { try $0.items("title == 'new'").first?.parent?.order } == 1)
    }
  }
}
