import CoreData
import Foundation
import Testing

@testable import CoreDataSamples

/// Random histories over two contexts of a coordinator, a child of each and a child's child, which all change one graph, under
/// the error policy: what a save has acknowledged is in the store, or a conflict has named it.
///
/// `GRAPH_HISTORIES` says how many are run, and `GRAPH_SEED` which is the first.
@Suite struct FiveContextHistoryTests {
  private static let count = number("GRAPH_HISTORIES") ?? 200
  private static let firstSeed = UInt64(number("GRAPH_SEED") ?? 1)

  /// A server answers each statement over a connection: a tenth is on it. Other stores than databases write all they have at
  /// every save, or are the tests' own.
  private static func count(_ kind: StoreKind) -> Int {
    switch kind {
    case .inMemory, .sqlite: count
    case .postgreSQL: max(10, count / 10)
    default: max(10, count / 20)
    }
  }

  private static func number(_ variable: String) -> Int? {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
  }

  @Test(arguments: StoreKind.all, [false, true])
  func whatIsAcknowledgedIsThereOrWasNamedByAConflict(_ kind: StoreKind, merges: Bool) throws {
    let seeds = Sample.of(Self.firstSeed..<Self.firstSeed + UInt64(Self.count(kind)))
    print(
      "\(kind.rawValue), \(merges ? "merging" : "not merging"): seeds from \(Self.firstSeed)"
        + ", \(seeds.count) of them")
    var (saves, conflicts) = (0, 0)
    for seed in seeds {
      let stack = try TestStack(kind)
      var history = FiveContextHistory(stack, seed: seed, merges: merges)
      var steps: [String] = []
      for _ in 0..<24 {
        steps.append(try history.step())
        guard let wrong = try history.wrong() else { continue }
        Issue.record("seed \(seed): \(wrong), after\n\(steps.joined(separator: "\n"))")
        return
      }
      saves += history.saves
      conflicts += history.conflicts
    }
    print("\(kind.rawValue): \(saves) saves to the store, \(conflicts) conflicts")
    // The few histories of the smaller shares may meet no conflict, and one alone may save little.
    #expect(seeds.count < 10 || saves > seeds.count && conflicts >= seeds.count / 50)
  }
}

///     first ─ its child ─ the child's child        second ─ its child
///
/// A save that meets a conflict is given up, with all that its tree has not saved. With `merges` the two roots merge what the
/// other saves; what they have not saved themselves stays on top of it then, and counts as made on what was merged, but
/// for what a child has made.
private struct FiveContextHistory {
  private struct Node {
    let name: String
    var editor: GraphEditor
    let parent: Int?
    /// What has been changed here, or by children that have saved into this one, and has not been saved.
    var pending: [GraphEdit] = []
    /// The objects that edits have had to do with since the last save.
    var touched: Set<String> = []
    /// The objects that somebody else has changed since the context was reset.
    var changedElsewhere: Set<String> = []
    /// Edits that children have saved into this one, of values that others have saved to the store since.
    var overtaken: [GraphEdit] = []
    var fromChildren: [GraphEdit] = []
  }

  private let stack: TestStack
  private let merges: Bool
  private var nodes: [Node] = []
  private var stored = GraphModel()
  private var random: SplitMix64
  private var problem: String?
  private(set) var (saves, conflicts) = (0, 0)

  init(_ stack: TestStack, seed: UInt64, merges: Bool) {
    self.stack = stack
    self.merges = merges
    random = SplitMix64(seed: seed)
    for (name, parent) in [
      ("first", nil), ("second", nil), ("first's child", 0), ("child's child", 2),
      ("second's child", 1),
    ] {
      let context = parent == nil ? stack.makeContext() : NSManagedObjectContext(.privateQueue)
      if let parent { context.parent = nodes[parent].editor.context }
      let label = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(nodes.count)))
      let editor = GraphEditor(context, seed: random.next(), label: label)
      nodes.append(Node(name: name, editor: editor, parent: parent))
    }
  }

  private func root(of index: Int) -> Int { nodes[index].parent.map(root) ?? index }

  private func tree(of index: Int) -> [Int] {
    nodes.indices.filter { root(of: $0) == root(of: index) }
  }

  private var queues: [NSManagedObjectContext] {
    [3, 2, 4, 0, 1].map { nodes[$0].editor.context }
  }

  /// Inside of all queues, so that objects may be looked at everywhere.
  mutating func step() throws -> String {
    try ContextChain.inside(queues[...]) {
      let index = Int(random.next() % UInt64(nodes.count))
      return "\(nodes[index].name): " + (try step(index))
    }
  }

  private mutating func step(_ index: Int) throws -> String {
    switch random.next() % 16 {
    case 0: return try saveThrough(index)
    case 1..<5: return try save(index) ?? "save"
    case 5:
      nodes[index].editor.forget()
      return "forget"
    case 6 where !nodes[index].editor.context.hasChanges:
      nodes[index].editor.context.refreshAllObjects()
      return "refresh"
    default: return try edit(index)
    }
  }

  private mutating func edit(_ index: Int) throws -> String {
    var (name, edits) = try nodes[index].editor.edit(hidden: hidden(from: index))
    let new = nodes[index].editor.insertedNames
    let deleted = Set(nodes[index].pending.compactMap(\.deletedName))
    // An object that somebody above has deleted is shown again once it is edited here, and is not inserted by that.
    edits.removeAll { edit in
      edit.insertedName.map { !new.contains($0) && !deleted.contains($0) } ?? false
    }
    nodes[index].touched.formUnion(edits.flatMap(\.names))
    // What leads to something that is gone above leads nowhere, without an edit.
    let gone = try deletedAbove(index).union(missing(Set(edits.flatMap(\.names)), above: index))
    edits.removeAll { edit in
      switch edit {
      case .parent(_, let from?, nil), .note(_, let from?, nil): gone.contains(from)
      case .untag(_, let tag): gone.contains(tag)
      default: false
      }
    }
    nodes[index].pending += edits
    if ["undo", "redo"].contains(name) { try forgetMovesTakenBack(index) }
    let names = edits.reduce(into: Set<String>()) { $0.formUnion($1.names) }
    for other in tree(of: index) where other != index {
      nodes[other].changedElsewhere.formUnion(names)
    }
    return "\(name)\(edits)"
  }

  private func deletedAbove(_ index: Int) -> Set<String> {
    guard let parent = nodes[index].parent else { return [] }
    var gone = deletedAbove(parent)
    for edit in nodes[parent].pending {
      if let name = edit.deletedName { gone.insert(name) }
      if let name = edit.insertedName { gone.remove(name) }
    }
    return gone
  }

  /// An undo that takes back a move into what is gone above changes nothing that is shown.
  private mutating func forgetMovesTakenBack(_ index: Int) throws {
    let gone = deletedAbove(index)
    let view = try nodes[index].editor.look()
    nodes[index].pending.removeAll { edit in
      guard case .parent(let title, _, let to?) = edit, gone.contains(to) else { return false }
      return view.items[title].map { $0.parent == nil } ?? false
    }
  }

  /// Which of these objects the parent no longer shows, and are not new here.
  private func missing(_ names: Set<String>, above index: Int) throws -> Set<String> {
    guard let parent = nodes[index].parent else { return [] }
    let above = try GraphEditor.read(nodes[parent].editor.context).model
    return names.subtracting(above.items.keys).subtracting(above.tags).subtracting(above.notes)
      .subtracting(nodes[index].pending.compactMap(\.insertedName))
  }

  /// What those above have deleted and not saved, as it was then.
  private func hidden(from index: Int) -> [String: GraphModel.ItemState] {
    guard let parent = nodes[index].parent else { return [:] }
    var hidden = hidden(from: parent)
    for case .deleteItem(let title, let seen, _) in nodes[parent].pending { hidden[title] = seen }
    return hidden
  }

  // MARK: - Saving

  private mutating func saveThrough(_ index: Int) throws -> String {
    var next: Int? = index
    while let now = next {
      if let conflict = try save(now) { return "save through, \(conflict)" }
      next = nodes[now].parent
    }
    return "save through"
  }

  /// What conflict there was.
  private mutating func save(_ index: Int) throws -> String? {
    let context = nodes[index].editor.context
    defer { nodes[index].touched = [] }
    nodes[index].pending = GraphEdit.withoutValuesTakenBack(nodes[index].pending)
    let view = try nodes[index].editor.look()
    let above = try nodes[index].parent.map { try GraphEditor.read(nodes[$0].editor.context).model }
    // An undo may delete what the context does not show any more.
    let deleted = nodes[index].editor.deletedNames
    var note: Notification?
    do { note = try Notifications.ofSave(context) } catch let error as NSError {
      guard let objects = error.conflictingObjects, !objects.isEmpty else { throw error }
      conflicts += 1
      judgeConflict(index, deleted.union(GraphEditor.names(Set(objects))))
      try giveUp(index)
      return "a conflict in \(nodes[index].name)"
    }
    if let parent = nodes[index].parent, let above {
      let made = GraphEdit.withoutDeletionsTakenBack(nodes[index].pending)
        .withoutTagsTakenBack.changing(above).leaving(above)
      nodes[parent].pending += made
      nodes[parent].fromChildren += made
      nodes[index].pending = []
    } else {
      try noteStored(index, view)
      if merges, let note { try merge(note, into: 1 - index) }
    }
    return nil
  }

  /// Somebody else must have changed something that the edits have to do with.
  private mutating func judgeConflict(_ index: Int, _ deleted: Set<String>) {
    let names = nodes[index].pending.reduce(into: deleted.union(nodes[index].touched)) {
      $0.formUnion($1.names)
    }
    let changed = tree(of: index).reduce(into: Set<String>()) {
      $0.formUnion(nodes[$1].changedElsewhere)
    }
    if names.isDisjoint(with: changed) {
      problem = "\(nodes[index].name) meets a conflict though nobody else has changed \(names)"
    }
  }

  private mutating func noteStored(_ index: Int, _ view: GraphModel) throws {
    saves += 1
    let before = stored
    if merges {
      if let edit = nodes[index].overtaken.first, problem == nil {
        problem = "\(nodes[index].name) has saved \(edit) over what it was not made on"
      }
      stored = withoutWhatIsGone(view, index)
    } else if let wrong = stored.apply(nodes[index].pending) {
      problem = "\(nodes[index].name) has saved: \(wrong)"
    }
    nodes[index].pending = []
    nodes[index].fromChildren = []
    nodes[index].overtaken = []
    let edits = GraphEdit.between(before, stored)
    let names = edits.reduce(into: Set<String>()) { $0.formUnion($1.names) }
    for other in tree(of: 1 - index) { nodes[other].changedElsewhere.formUnion(names) }
    nodes[1 - index].overtaken += nodes[1 - index].fromChildren.filter { own in
      edits.contains { $0.overtakes(own) }
    }
  }

  /// What others have deleted is shown for as long as a child's edits of it are not saved; where those are taken back, the
  /// save has nothing of it.
  private func withoutWhatIsGone(_ view: GraphModel, _ index: Int) -> GraphModel {
    let new = Set(nodes[index].pending.compactMap(\.insertedName))
    var model = view
    for title in view.items.keys where stored.items[title] == nil && !new.contains(title) {
      model.items[title] = nil
    }
    return model
  }

  private mutating func merge(_ note: Notification, into index: Int) throws {
    nodes[index].editor.context.mergeChanges(fromContextDidSave: note)
  }

  private mutating func giveUp(_ index: Int) throws {
    let tree = tree(of: index).sorted(by: >)
    for index in tree { nodes[index].editor.context.rollback() }
    if merges {
      let found = try GraphEditor.read(nodes[tree[tree.count - 1]].editor.context).model
      if found != stored { problem = "after a rollback there is \(found) in place of \(stored)" }
    }
    for index in tree {
      nodes[index].editor.context.reset()
      nodes[index].editor.forget()
      nodes[index].pending = []
      nodes[index].fromChildren = []
      nodes[index].overtaken = []
      nodes[index].changedElsewhere = []
    }
  }

  // MARK: - What is wrong

  /// What is not as it must be; nil when all is.
  func wrong() throws -> String? {
    try ContextChain.inside(queues[...]) {
      if let problem { return problem }
      if let wrong = try stack.withContext(GraphEditor.disagreement) {
        return "the store has \(wrong)"
      }
      let found = try stack.withContext(RandomHistory.observe)
      if found != stored { return "the store has \(found) in place of \(stored)" }
      guard merges else { return nil }
      for index in [0, 1] {
        if let wrong = try GraphEditor.disagreement(nodes[index].editor.context) {
          return "\(nodes[index].name) shows \(wrong)"
        }
        let shown = try RandomHistory.observe(nodes[index].editor.context)
        if nodes[index].pending.isEmpty, shown != stored {
          return "\(nodes[index].name) shows \(shown) in place of \(stored)"
        }
      }
      return nil
    }
  }
}

extension GraphEdit {
  /// Whether this edit changes what the other one has seen, and gives it another value than that one does.
  fileprivate func overtakes(_ other: GraphEdit) -> Bool {
    switch (self, other) {
    case (.order(let title, _, let to), .order(let own, _, let value)):
      title == own && to != value
    case (.parent(let title, _, let to), .parent(let own, _, let value)):
      title == own && to != value
    case (.note(let title, _, let to), .note(let own, _, let value)):
      title == own && to != value
    default: false
    }
  }
}
