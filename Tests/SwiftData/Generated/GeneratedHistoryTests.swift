import SwiftData
import TestSupport
import Testing

@Model
final class Node {
  var number: Int
  var text: String
  var parent: Node?
  @Relationship(inverse: \Node.parent) var children: [Node] = []

  init(number: Int, text: String, parent: Node?) {
    self.number = number
    self.text = text
    self.parent = parent
  }
}

/// Inserts, edits, deletions, relationships, undos, rollbacks and saves in two contexts, beside plain values. SWIFT_HISTORIES
/// says how many, SWIFT_SEED where they begin.
struct GeneratedHistoryTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let count = environment["SWIFT_HISTORIES"].flatMap { Int($0) } ?? 150
  private static let firstSeed = environment["SWIFT_SEED"].flatMap { UInt64($0) } ?? 1

  @Test func twoContextsAgreeWithPlainValues() throws {
    let seeds = Sample.of(Self.firstSeed..<Self.firstSeed + UInt64(Self.count))
    print("GeneratedHistoryTests: \(seeds.count) histories from seed \(Self.firstSeed)")
    for seed in seeds {
      var history = try NodeHistory(seed: seed)
      try history.run(steps: 30)
    }
  }
}

private struct NodeHistory {
  private let seed: UInt64
  private var generator: SplitMix64
  private let container: ModelContainer
  private let contexts: [ModelContext]
  private var views = [NodeView(), NodeView()]
  private var saved: [Int: NodeView.Node] = [:]
  private var lastNumber = 0
  private var log: [String] = []

  init(seed: UInt64) throws {
    self.seed = seed
    generator = SplitMix64(seed: seed)
    container = try ModelContainer(
      for: Node.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    contexts = [ModelContext(container), ModelContext(container)]
    for context in contexts {
      let manager = UndoManager()
      manager.groupsByEvent = false
      context.undoManager = manager
    }
  }

  mutating func run(steps: Int) throws {
    for _ in 0..<steps {
      try step(Int.random(in: 0...1, using: &generator))
      for side in 0...1 { try compare(side) }
    }
    for side in 0...1 { try save(side) }
    for side in 0...1 { try compare(side) }
    try expect(ModelContext(container), "the store", equals: saved)
  }

  private func model(_ number: Int, _ side: Int) throws -> Node {
    let found = try contexts[side].fetch(
      FetchDescriptor<Node>(predicate: #Predicate { $0.number == number }))
    return try #require(found.first, "seed \(seed): no node \(number) after \(log)")
  }

  private func undoable(_ side: Int, _ body: () throws -> Void) rethrows {
    let context = contexts[side]
    context.undoManager?.beginUndoGrouping()
    try body()
    context.processPendingChanges()
    context.undoManager?.endUndoGrouping()
  }

  private mutating func step(_ side: Int) throws {
    let nodes = views[side].nodes(over: saved)
    let other = views[1 - side].changes
    // What the other side is about to delete, or has changed, is its own.
    let free = nodes.keys.filter { !other.deleted.contains($0) }.sorted()
    let some = free.randomElement(using: &generator)
    let parent = Bool.random(using: &generator) ? free.randomElement(using: &generator) : nil
    switch (Int.random(in: 0..<12, using: &generator), some) {
    case (0...2, _), (_, nil):
      lastNumber += 1
      let (number, text) = (lastNumber, "\(generator.next() % 100)")
      log.append("\(side): insert \(number) under \(parent.map(String.init) ?? "nil")")
      let above = try parent.map { try model($0, side) }
      undoable(side) { contexts[side].insert(Node(number: number, text: text, parent: above)) }
      views[side].insert(number, text, parent)
    case (3...4, let node?):
      let text = "\(generator.next() % 100)"
      log.append("\(side): \(node) says \(text)")
      let model = try model(node, side)
      undoable(side) { model.text = text }
      views[side].act { $0.texts[node] = text }
    // A node that both sides have moved is where each has put it, and among the children of either.
    case (5...6, let node?) where other.parents[node] == nil:
      log.append("\(side): \(node) moves under \(parent.map(String.init) ?? "nil")")
      let (model, above) = (try model(node, side), try parent.map { try self.model($0, side) })
      undoable(side) { model.parent = above }
      views[side].act { $0.parents[node] = .some(parent) }
    case (7, let node?) where !other.touches(node):
      // By the other side of the relationship.
      let children = nodes.filter { $0.value.parent == node }.keys.sorted()
      guard children.allSatisfy({ other.parents[$0] == nil }) else { return }
      let added = free.randomElement(using: &generator).map { [$0] } ?? []
      let kept = children.filter { _ in Bool.random(using: &generator) }
      let taken = Set(kept + added).filter { free.contains($0) && other.parents[$0] == nil }
      log.append("\(side): \(node) has \(taken.sorted())")
      let (model, models) = (try model(node, side), try taken.map { try self.model($0, side) })
      undoable(side) { model.children = models }
      views[side].act { changes in
        for child in children where !taken.contains(child) { changes.parents[child] = .some(nil) }
        for child in taken where !children.contains(child) { changes.parents[child] = .some(node) }
      }
    case (8, let node?)
    where !other.touches(node)
      && !nodes.contains { $0.value.parent == node && other.parents[$0.key] != nil }:
      log.append("\(side): delete \(node)")
      let model = try model(node, side)
      undoable(side) { contexts[side].delete(model) }
      views[side].delete(node, over: saved)
    case (9, _)
    where views[side].past.last.map { !other.deleted.contains(where: $0.touches) } ?? false:
      log.append("\(side): undo")
      contexts[side].undoManager?.undo()
      views[side].changes = views[side].past.removeLast()
    case (10, _):
      log.append("\(side): rollback")
      contexts[side].rollback()
      views[side].forgetChanges()
    default:
      try save(side)
    }
  }

  private mutating func save(_ side: Int) throws {
    log.append("\(side): save")
    try contexts[side].save()
    contexts[side].undoManager?.removeAllActions()
    views[1 - side].forgetWhatIsNone(over: saved)
    saved = views[side].nodes(over: saved)
    try expect(ModelContext(container), "the store", equals: saved)
    views[side].forgetChanges()
    // The other side's steps can no longer be told by what was saved when they were taken.
    contexts[1 - side].processPendingChanges()
    contexts[1 - side].undoManager?.removeAllActions()
    views[1 - side].past = []
  }

  private func compare(_ side: Int) throws {
    try expect(contexts[side], "context \(side)", equals: views[side].nodes(over: saved))
  }

  private func expect(
    _ context: ModelContext, _ name: String, equals nodes: [Int: NodeView.Node]
  ) throws {
    let models = try context.fetch(FetchDescriptor<Node>())
    let found = Dictionary(
      uniqueKeysWithValues: models.map {
        ($0.number, NodeView.Node(text: $0.text, parent: $0.parent?.number))
      })
    try #require(found == nodes, "seed \(seed), \(name) after \(log)")
    for model in models {
      let children = nodes.filter { $0.value.parent == model.number }.keys.sorted()
      try #require(
        model.children.map(\.number).sorted() == children,
        "seed \(seed), \(name), \(model.number) after \(log)")
    }
  }
}
