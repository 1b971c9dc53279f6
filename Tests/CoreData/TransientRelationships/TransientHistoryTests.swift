import CoreData
import Testing

@testable import CoreDataSamples

/// Random histories of edits of one pair, from either side, against plain values.
@Suite struct TransientHistoryTests {
  @Test(arguments: Sample.of(StoreKind.all, [21, 22] as [UInt64]))
  func bothSidesAgreeWithPlainValuesAfterEveryStep(_ kind: StoreKind, seed: UInt64) throws {
    print("seed \(seed)")
    let stack = try TestStack(kind, model: TransientModel.make())
    var random = SplitMix64(seed: seed)
    for pair in TransientPair.all {
      try stack.withContext { context in
        var history = try TransientHistory(pair, context, seed: random.next())
        for step in 0..<40 {
          let operation = try history.step()
          let (found, expected) = (history.objects.plain(), history.plain)
          #expect(found == expected, "seed \(seed), \(pair), step \(step), after \(operation)")
          guard found == expected else { return }
          guard operation == "save" else { continue }
          let stored = try stack.withContext {
            try TransientObjects(fetching: pair, in: $0).plain()
          }
          #expect(stored == expected.stored, "seed \(seed), \(pair), step \(step): the store")
          guard stored == expected.stored else { return }
        }
      }
    }
  }
}

/// The objects of one pair, and what they must have.
private struct TransientHistory {
  private(set) var objects: TransientObjects
  private(set) var plain: PlainPair
  private let context: NSManagedObjectContext
  private let manager = UndoManager()
  private var random: SplitMix64
  private var undoStack: [PlainPair] = []
  private var redoStack: [PlainPair] = []
  private var saved: PlainPair

  init(_ pair: TransientPair, _ context: NSManagedObjectContext, seed: UInt64) throws {
    objects = TransientObjects(making: pair, in: context)
    plain = PlainPair(pair)
    saved = plain
    self.context = context
    random = SplitMix64(seed: seed)
    try context.save()
    manager.groupsByEvent = false
    context.undoManager = manager
  }

  mutating func step() throws -> String {
    switch random.next() % 12 {
    case 0:
      try context.save()
      saved = plain
      return "save"
    case 1: return undo()
    case 2: return redo()
    case 3 where !context.hasChanges: return forget()
    case 4 where random.next() % 4 == 0: return rollback()
    default: return edit()
    }
  }

  private mutating func undo() -> String {
    guard let previous = undoStack.popLast() else { return "no undo" }
    context.undo()
    redoStack.append(plain)
    plain = previous
    return "undo"
  }

  private mutating func redo() -> String {
    guard let next = redoStack.popLast() else { return "no redo" }
    context.redo()
    undoStack.append(plain)
    plain = next
    return "redo"
  }

  /// Nothing before it can be undone.
  private mutating func forget() -> String {
    let names = objects.objects.keys.sorted()
    let name = names[Int(random.next() % UInt64(names.count))]
    if random.next() % 4 == 0 {
      context.refreshAllObjects()
      for name in names { plain.forget(name) }
    } else {
      context.refresh(objects[name], mergeChanges: false)
      plain.forget(name)
    }
    saved = plain
    forgetSteps()
    return "forget \(name)"
  }

  private mutating func forgetSteps() {
    manager.removeAllActions()
    undoStack = []
    redoStack = []
  }

  /// Objects that were edited lose what is transient; the others keep it.
  private mutating func rollback() -> String {
    let edited = objects.objects.filter { $0.value.isUpdated }.keys
    context.rollback()
    plain = saved
    for name in edited { plain.forget(name) }
    saved = plain
    forgetSteps()
    return "rollback"
  }

  /// An edit that changes something, of what a store can keep.
  private mutating func edit() -> String {
    for _ in 0..<20 {
      let names = plain.pair.names
      let relationship = names[Int(random.next() % UInt64(names.count))]
      let ends = objects.ends(of: relationship)
      let owner = ends.owners[Int(random.next() % UInt64(ends.owners.count))]
      var members = ends.members.shuffled(using: &random)
      let isToOne = plain.pair.side(of: relationship) == .toOne
      let most = isToOne ? 2 : UInt64(members.count + 1)
      let kind = random.next() % 3
      members = Array(members.prefix(kind == 0 ? Int(random.next() % most) : 1))
      var next = plain
      switch (kind, members.first) {
      case (1, let member?) where isToOne: next.set(relationship, owner, [member])
      case (1, let member?): next.add(relationship, owner, member)
      case (2, let member?) where !isToOne: next.remove(relationship, owner, member)
      default: next.set(relationship, owner, members)
      }
      if next == plain || next.hasSharedMembers { continue }
      manager.beginUndoGrouping()
      switch (kind, members.first) {
      case (1, let member?): objects.add(relationship, owner, member)
      case (2, let member?) where !isToOne: objects.remove(relationship, owner, member)
      default: objects.set(relationship, owner, members)
      }
      context.processPendingChanges()
      manager.endUndoGrouping()
      undoStack.append(plain)
      redoStack = []
      plain = next
      return "edit \(kind) of \(relationship) of \(owner): \(members)"
    }
    return "no edit"
  }
}
