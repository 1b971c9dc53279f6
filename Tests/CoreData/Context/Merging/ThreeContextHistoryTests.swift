import CoreData
import Testing

@testable import CoreDataSamples

/// Random histories over a context, its child and a sibling on the same coordinator, against plain values.
///
/// `GRAPH_HISTORIES` says how many, in place of a few; `GRAPH_SEED` which is the first, in place of 1.
@Suite struct ThreeContextHistoryTests {
  private static let count = number("GRAPH_HISTORIES") ?? 200
  private static let firstSeed = UInt64(number("GRAPH_SEED") ?? 1)

  /// Most stores write all they have at every save, or are the tests' own: a twentieth is on them.
  private static func count(_ kind: StoreKind) -> Int {
    Sample.part(of: kind == .inMemory || kind.speaksSQL ? count : max(10, count / 20))
  }

  private static func number(_ variable: String) -> Int? {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
  }

  @Test(arguments: StoreKind.all)
  func everyContextAndTheStoreAgreeWithPlainValues(_ kind: StoreKind) throws {
    let seeds = Self.firstSeed..<Self.firstSeed + UInt64(Self.count(kind))
    print("\(kind.rawValue): seeds \(seeds)")
    for seed in seeds {
      guard try agrees(kind, seed: seed) else { return }
    }
  }

  private func agrees(_ kind: StoreKind, seed: UInt64) throws -> Bool {
    let stack = try TestStack(kind)
    var history = ThreeContextHistory(stack: stack, seed: seed)
    var steps: [String] = []
    for _ in 0..<12 {
      steps.append(try history.step())
      let wrong = try history.disagreement()
      #expect(wrong == nil, "seed \(seed), after \(steps.joined(separator: "; "))")
      if wrong != nil { return false }
    }
    return true
  }
}

/// At any time the unsaved changes are those of the parent and its child, or those of the sibling: then
/// what a merge has to give needs no rule for conflicts. Whoever has no changes learns of the others' by
/// a merge, a refresh or a reset.
struct ThreeContextHistory {
  private let stack: TestStack
  private var parent: RandomHistory
  private var child: RandomHistory
  private var sibling: RandomHistory
  private var saved = GraphModel()
  private var random: SplitMix64

  init(stack: TestStack, seed: UInt64) {
    self.stack = stack
    random = SplitMix64(seed: seed)
    let context = stack.makeContext()
    let below = NSManagedObjectContext(.privateQueue)
    below.parent = context
    parent = RandomHistory(context: context, seed: random.next(), label: "p")
    child = RandomHistory(context: below, seed: random.next(), label: "c")
    sibling = RandomHistory(context: stack.makeContext(), seed: random.next(), label: "s")
  }

  private var siblingIsDirty: Bool { sibling.context.hasChanges }
  private var parentIsDirty: Bool { parent.context.hasChanges }
  private var childIsDirty: Bool { child.context.hasChanges }

  /// Inside of all three queues, so that objects may be looked at everywhere.
  mutating func step() throws -> String {
    let contexts = [parent.context, child.context, sibling.context]
    return try ContextChain.inside(contexts[...]) { try act() }
  }

  private mutating func act() throws -> String {
    if siblingIsDirty { return try actInSibling() }
    switch random.next() % 4 {
    case 0 where !parentIsDirty && !childIsDirty: return try actInSibling()
    case 1, 2: return try actInChild()
    default: return try actInParent()
    }
  }

  // MARK: - The child, whose changes are the parent's once it saves

  private mutating func actInChild() throws -> String {
    switch random.next() % 8 {
    case 0, 1: return try saveChild()
    case 2:
      child.rollback(to: parent.model)
      return "child rollback"
    case 3:
      child.context.reset()
      child.take(parent.model)
      return "child reset"
    default: return "child " + (try Self.change(&child, random.next()))
    }
  }

  private mutating func saveChild() throws -> String {
    try child.context.save()
    parent.take(child.model)
    return "child save"
  }

  // MARK: - The parent; a child that has changes of its own keeps it from changing

  private mutating func actInParent() throws -> String {
    let keepsTheChild = childIsDirty
    switch random.next() % 6 {
    case 0, 1:
      try Self.save(&parent, into: &sibling)
      saved = parent.model
      return "parent save"
    case _ where keepsTheChild: return try actInChild()
    case 2:
      parent.rollback(to: saved)
      refreshChild()
      return "parent rollback"
    default:
      let done = try Self.change(&parent, random.next())
      refreshChild()
      return "parent " + done
    }
  }

  /// A child reads its parent's objects again; new ones it fetches by itself.
  private mutating func refreshChild() {
    if random.next() % 2 == 0 { child.context.reset() } else { child.context.refreshAllObjects() }
    child.take(parent.model)
  }

  // MARK: - The sibling

  private mutating func actInSibling() throws -> String {
    switch random.next() % 5 {
    case 0, 1:
      try Self.save(&sibling, into: &parent)
      saved = sibling.model
      refreshChild()
      return "sibling save"
    case 2:
      sibling.rollback(to: saved)
      return "sibling rollback"
    default: return "sibling " + (try Self.change(&sibling, random.next()))
    }
  }

  // MARK: - What all do

  private static func change(_ history: inout RandomHistory, _ choice: UInt64) throws -> String {
    switch choice % 6 {
    case 0: try history.undo()
    case 1: try history.redo()
    default: try history.edit()
    }
  }

  private static func save(
    _ saver: inout RandomHistory, into other: inout RandomHistory
  ) throws {
    let merged = other.context
    let notes = try ContextNotes.of(saver.context, .NSManagedObjectContextDidSave) {
      try saver.context.save()
    }
    if let note = notes.last { merged.mergeChanges(fromContextDidSave: note) }
    // A merged deletion makes a context dirty until it is saved.
    if merged.hasChanges { try merged.save() }
    other.take(saver.model)
  }

  /// Who does not have what it must have, and what it has; nil when all agree.
  func disagreement() throws -> String? {
    let contexts = [parent.context, child.context, sibling.context]
    return try ContextChain.inside(contexts[...]) {
      try Self.difference("the parent", parent.observed(), parent.model)
        ?? Self.difference("the child", child.observed(), child.model)
        ?? Self.difference("the sibling", sibling.observed(), sibling.model)
        ?? Self.difference("the store", stack.withContext(RandomHistory.observe), saved)
    }
  }

  private static func difference(
    _ name: String, _ found: GraphModel, _ expected: GraphModel
  ) -> String? {
    found == expected ? nil : "\(name) has \(found) in place of \(expected)"
  }
}
