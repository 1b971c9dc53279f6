import CoreData
import Testing

@testable import CoreDataSamples

/// Random edits, saves, rollbacks and resets anywhere in a tree of contexts, and IDs asked for at any moment,
/// against plain values.
@Suite struct RandomTreeTests {
  @Test(arguments: Sample.of(StoreKind.all, [21, 22, 23] as [UInt64]))
  func aTreeOfContextsAgreesWithPlainValues(_ kind: StoreKind, seed: UInt64) throws {
    print("seed \(seed)")
    let stack = try TestStack(kind)
    var tree = RandomTree(stack, seed: seed)
    for step in 0..<250 {
      let operation = try tree.step()
      let difference = try tree.difference()
      #expect(difference == nil, "seed \(seed), step \(step), after \(operation)")
      if difference != nil { return }
    }
    #expect(tree.saves > 5 && tree.givenIDs.count > 10, "seed \(seed)")
  }
}

/// Two levels of children under one root; each context has its pending changes as plain values.
///
///     root ┬ left ┬ left leaf
///          │      └ second leaf
///          └ right ─ right leaf
private struct RandomTree {
  private struct Node {
    let name: String
    let context: NSManagedObjectContext
    let parent: Int?
    /// New and edited objects with their values now.
    var present: [String: Int64] = [:]
    var deleted: Set<String> = []

    var isClean: Bool { present.isEmpty && deleted.isEmpty }
  }

  private let stack: TestStack
  private var nodes: [Node] = []
  private var stored: [String: Int64] = [:]
  /// The first permanent ID that anybody was given, by name.
  private(set) var givenIDs: [String: NSManagedObjectID] = [:]
  private(set) var saves = 0
  private var random: SplitMix64
  private var nextNumber: Int64 = 0

  init(_ stack: TestStack, seed: UInt64) {
    self.stack = stack
    random = SplitMix64(seed: seed)
    let tree: [(String, Int?)] = [
      ("root", nil), ("left", 0), ("right", 0), ("left leaf", 1), ("second leaf", 1),
      ("right leaf", 2),
    ]
    for (name, parent) in tree {
      let context = parent == nil ? stack.makeContext() : NSManagedObjectContext(.privateQueue)
      if let parent { context.parent = nodes[parent].context }
      nodes.append(Node(name: name, context: context, parent: parent))
    }
  }

  // MARK: - Plain values

  private func view(_ index: Int) -> [String: Int64] {
    var values = nodes[index].parent.map(view) ?? stored
    values.merge(nodes[index].present) { $1 }
    for name in nodes[index].deleted { values[name] = nil }
    return values
  }

  private mutating func pushDown(_ index: Int) {
    let node = nodes[index]
    nodes[index].present = [:]
    nodes[index].deleted = []
    guard let parent = node.parent else {
      stored.merge(node.present) { $1 }
      for name in node.deleted { stored[name] = nil }
      return
    }
    nodes[parent].present.merge(node.present) { $1 }
    let below = nodes[parent].parent.map(view) ?? stored
    for name in node.deleted {
      nodes[parent].present[name] = nil
      if below[name] != nil { nodes[parent].deleted.insert(name) }
    }
  }

  private func descendants(_ index: Int) -> [Int] {
    nodes.indices.filter { nodes[$0].parent == index }.flatMap { descendants($0) + [$0] }
  }

  // MARK: - Steps

  mutating func step() throws -> String {
    let index = Int(random.next() % UInt64(nodes.count))
    let node = nodes[index]
    return try node.context.performAndWait {
      switch random.next() % 20 {
      case 0..<5: try insert(index)
      case 5..<9: try edit(index)
      case 9..<11: try delete(index)
      case 11..<15: try obtain(index)
      case 15..<18: try save(index)
      case 18: try letGo(index) { $0.rollback() }
      default: try letGo(index) { $0.reset() }
      }
    } + " in \(node.name)"
  }

  private mutating func insert(_ index: Int) throws -> String {
    nextNumber += 1
    let name = "item \(nextNumber)"
    nodes[index].context.makeItem(name, order: nextNumber)
    nodes[index].present[name] = nextNumber
    return "insert \(name)"
  }

  /// An object of the context that nobody else is changing: this is no test of conflicts.
  private mutating func pick(_ index: Int) throws -> (String, Item)? {
    let others = nodes.indices.filter { $0 != index && !isAbove($0, index) }
    let names = view(index).keys.sorted().filter { name in
      !others.contains { nodes[$0].present[name] != nil || nodes[$0].deleted.contains(name) }
    }
    guard !names.isEmpty else { return nil }
    let name = names[Int(random.next() % UInt64(names.count))]
    return try nodes[index].context.items("title == %@", name).first.map { (name, $0) }
  }

  private func isAbove(_ index: Int, _ other: Int) -> Bool {
    guard let parent = nodes[other].parent else { return false }
    return parent == index || isAbove(index, parent)
  }

  private mutating func edit(_ index: Int) throws -> String {
    guard let (name, item) = try pick(index) else { return "nothing" }
    nextNumber += 1
    item.order = nextNumber
    nodes[index].present[name] = nextNumber
    return "edit \(name)"
  }

  private mutating func delete(_ index: Int) throws -> String {
    guard let (name, item) = try pick(index) else { return "nothing" }
    nodes[index].context.delete(item)
    nodes[index].context.processPendingChanges()
    nodes[index].present[name] = nil
    let below = nodes[index].parent.map(view) ?? stored
    if below[name] != nil { nodes[index].deleted.insert(name) }
    return "delete \(name)"
  }

  private mutating func obtain(_ index: Int) throws -> String {
    guard let (name, item) = try pick(index) else { return "nothing" }
    try nodes[index].context.obtainPermanentIDs(for: [item])
    #expect(!item.objectID.isTemporaryID)
    givenIDs[name] = givenIDs[name] ?? item.objectID
    return "obtain the ID of \(name)"
  }

  private mutating func save(_ index: Int) throws -> String {
    try nodes[index].context.save()
    pushDown(index)
    saves += 1
    return "save"
  }

  /// Those below go first: what they have changed may be of what is let go.
  private mutating func letGo(
    _ index: Int, _ way: (NSManagedObjectContext) -> Void
  ) throws -> String {
    for index in descendants(index) + [index] {
      way(nodes[index].context)
      nodes[index].present = [:]
      nodes[index].deleted = []
    }
    return "let go"
  }

  // MARK: - What the contexts have

  mutating func difference() throws -> String? {
    for index in nodes.indices {
      let (name, context, expected) = (nodes[index].name, nodes[index].context, view(index))
      let difference = try context.performAndWait { () throws -> String? in
        let items = try current(context)
        let found = Dictionary(
          items.map { ($0.title ?? "", $0.order) }, uniquingKeysWith: { first, _ in first })
        if found != expected || items.count != expected.count {
          return "\(name) has \(found) instead of \(expected)"
        }
        return items.first {
          givenIDs[$0.title ?? ""].map { [item = $0] in $0 != item.objectID } ?? false
        }
        .map { "\(name) has \($0.objectID) of \($0.title ?? "")" }
      }
      if let difference { return difference }
    }
    return try stack.withContext { context in
      let items = try context.items()
      let found = Dictionary(
        items.map { ($0.title ?? "", $0.order) }, uniquingKeysWith: { first, _ in first })
      if found != stored { return "the store has \(found) instead of \(stored)" }
      return items.first {
        givenIDs[$0.title ?? ""].map { [item = $0] in $0 != item.objectID } ?? false
      }
      .map { "the store has \($0.objectID) of \($0.title ?? "")" }
    }
  }

  /// What is not being edited is read anew: others may have changed it.
  private func current(_ context: NSManagedObjectContext) throws -> [Item] {
    context.processPendingChanges()
    for object in context.registeredObjects where !object.hasChanges {
      context.refresh(object, mergeChanges: false)
    }
    return try context.items()
  }
}
