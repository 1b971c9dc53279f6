import CoreData
import Testing

@testable import CoreDataSamples

/// A deletion that takes along what somebody else has put there in the moment before: its undo
/// brings that back, too, whether it was merged while the deletion was not saved yet or not.
@Suite struct UnseenCascadeTests {
  /// What somebody else does before the deletion is saved.
  enum Deed: String, CaseIterable {
    case adds, addsBelow, addsTwoLevels, movesIn, movesInWithMembers, renames, tags, gives,
      givesBelow
  }

  enum Policy: CaseIterable {
    case trump, overwrite

    var policy: NSMergePolicy { self == .trump ? .mergeByPropertyObjectTrump : .overwrite }
  }

  /// A list with a member that is a list, and another list, as plain values.
  private static func state(_ context: NSManagedObjectContext) throws -> [String: String] {
    let items = try context.items().map { item in
      let tags = item.value(forKey: "tags") as? Set<NSManagedObject> ?? []
      let note = (item.value(forKey: "note") as? NSManagedObject)?.value(forKey: "text")
      let names = tags.compactMap { $0.value(forKey: "name") as? String }.sorted()
      return (
        item.title ?? "",
        "in \(item.parent?.title ?? "nothing"), \(names), \(note as? String ?? "no note")"
      )
    }
    return Dictionary(items) { first, second in "\(first) and \(second)" }
  }

  private static func counts(_ context: NSManagedObjectContext) throws -> [Int] {
    try ["Item", "Tag", "Note"].map {
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: $0))
    }
  }

  private static func carryOut(_ deed: Deed, _ context: NSManagedObjectContext) throws {
    let items = try Dictionary(uniqueKeysWithValues: context.items().map { ($0.title ?? "", $0) })
    let list = try #require(items["list"])
    let inner = try #require(items["inner"])
    switch deed {
    case .adds: context.makeItem("new", in: list)
    case .addsBelow: context.makeItem("new", in: inner)
    case .addsTwoLevels: context.makeItem("newer", in: context.makeItem("new", in: inner))
    case .movesIn: items["leaf"]?.parent = list
    case .movesInWithMembers: items["other"]?.parent = inner
    case .renames: inner.title = "renamed"
    case .tags: inner.setValue(Set([context.insert("Tag", ["name": "t"])]), forKey: "tags")
    case .gives: list.setValue(context.insert("Note", ["text": "n"]), forKey: "note")
    case .givesBelow: inner.setValue(context.insert("Note", ["text": "n"]), forKey: "note")
    }
    try context.save()
  }

  @Test(arguments: StoreKind.all, Deed.allCases)
  func undoBringsItBack(_ kind: StoreKind, _ deed: Deed) throws {
    for policy in Policy.allCases {
      for rule in [NSDeleteRule.cascadeDeleteRule, .nullifyDeleteRule] {
        // This policy writes whole objects over what others have made of them.
        let isEdit = deed == .renames || deed == .givesBelow
        if policy == .overwrite, rule == .nullifyDeleteRule, isEdit { continue }
        for isAnotherProcess in kind.hasHistory ? [false, true] : [false] {
          for isMerged in [false, true] {
            var wrong: [String]
            do { wrong = try run(kind, deed, policy, rule, isAnotherProcess, isMerged) } catch {
              wrong = ["\(error)"]
            }
            let what = "another process: \(isAnotherProcess), merged: \(isMerged)"
            #expect(wrong == [], "\(policy), \(rule), \(what)")
          }
        }
      }
    }
  }

  /// What is not as it must be.
  private func run(
    _ kind: StoreKind, _ deed: Deed, _ policy: Policy, _ rule: NSDeleteRule,
    _ isAnotherProcess: Bool, _ isMerged: Bool
  ) throws -> [String] {
    let model = NestedModel.make()
    let properties = model.entitiesByName["Item"]?.relationshipsByName
    properties?["children"]?.deleteRule = rule
    let stack = try HistoryStack(model, kind: kind)
    let mine = stack.context()
    let theirs = stack.context(of: isAnotherProcess ? try stack.secondCoordinator() : nil)
    mine.mergePolicy = policy.policy
    return try mine.performAndWait {
      try theirs.performAndWait {
        let list = mine.makeItem("list")
        mine.makeItem("inner", in: list)
        mine.makeItem("leaf", in: mine.makeItem("other"))
        try mine.save()
        let manager = UndoManager()
        mine.undoManager = manager
        _ = try Self.state(mine)
        mine.delete(list)
        mine.processPendingChanges()
        manager.endEvent()
        manager.setActionName("Delete")
        let saves = SavesOf(theirs)
        let token = mine.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil)
        try Self.carryOut(deed, theirs)
        if isMerged {
          let news =
            isAnotherProcess
            ? try stack.transactions(.fetchHistory(after: token)).map { $0.objectIDNotification() }
            : saves.notes
          for note in news { mine.mergeChanges(fromContextDidSave: note) }
        }
        let reader = stack.context()
        func stored() throws -> ([String: String], [Int]) {
          try reader.performAndWait {
            reader.reset()
            return (try Self.state(reader), try Self.counts(reader))
          }
        }
        let before = try stored()
        try mine.save()
        let deleted = try stored()
        var wrong: [String] = []
        func expect(
          _ now: ([String: String], [Int]), _ then: ([String: String], [Int]), _ what: String
        ) {
          if now != then { wrong.append("\(what): \(now) in place of \(then)") }
        }
        let left = deleted.0.keys.sorted()
        let expected: [String] =
          switch (rule, deed) {
          case (.cascadeDeleteRule, .movesIn): ["other"]
          case (.cascadeDeleteRule, .movesInWithMembers): []
          case (.cascadeDeleteRule, _): ["leaf", "other"]
          case (_, .adds), (_, .addsBelow): ["inner", "leaf", "new", "other"]
          case (_, .addsTwoLevels): ["inner", "leaf", "new", "newer", "other"]
          case (_, .renames): ["leaf", "other", "renamed"]
          default: ["inner", "leaf", "other"]
          }
        if left != expected { wrong.append("deleted: \(left) are left") }
        let isKept = rule == .nullifyDeleteRule && deed == .givesBelow
        if deleted.1[2] != (isKept ? 1 : 0) {
          wrong.append("deleted: \(deleted.1[2]) notes are left")
        }
        mine.undo()
        try mine.save()
        expect(try stored(), before, "undone")
        expect((try Self.state(mine), try Self.counts(mine)), before, "shown")
        if manager.canUndo { wrong.append("there is more to undo") }
        mine.redo()
        try mine.save()
        expect(try stored(), deleted, "done again")
        mine.undo()
        try mine.save()
        expect(try stored(), before, "undone again")
        return wrong
      }
    }
  }

  /// What a context says of its saves.
  ///
  /// Sendable: used where the context's queue is entered.
  private final class SavesOf: @unchecked Sendable {
    private(set) var notes: [Notification] = []
    private var observer: (any NSObjectProtocol)?

    init(_ context: NSManagedObjectContext) {
      observer = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave, object: context, queue: nil
      ) { [unowned self] in notes.append($0) }
    }

    deinit { observer.map(NotificationCenter.default.removeObserver) }
  }

  /// Items that somebody else adds, each in the one before, which is called by its number.
  ///
  /// Sendable: used where both contexts' queues are entered.
  private final class Newcomers: @unchecked Sendable {
    private(set) var count = 0
    private let most: Int
    private let context: NSManagedObjectContext

    init(_ context: NSManagedObjectContext, most: Int) {
      (self.context, self.most) = (context, most)
    }

    func addNext() throws {
      let parent: Item = try #require(try context.items("title = %@", "\(count)").first)
      count += 1
      context.makeItem("\(count)", in: parent)
      try context.save()
    }

    /// Adds one to what a save has just deleted.
    func follow(_ note: Notification) throws {
      let deleted = note.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject> ?? []
      let titles = deleted.map { ($0 as? Item)?.title }
      if count < most, titles.contains("\(count)") { try addNext() }
    }
  }

  /// What is put into that, while it is being deleted, goes along too, and comes back by one undo.
  @Test(arguments: StoreKind.all.filter(\.hasHistory), [1, 2, 3])
  func undoBringsBackWhatCameDuringTheSave(_ kind: StoreKind, rounds: Int) throws {
    let stack = try HistoryStack(NestedModel.make(), kind: kind)
    let mine = stack.context()
    let theirs = stack.context(of: try stack.secondCoordinator())
    mine.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try mine.performAndWait {
      try theirs.performAndWait {
        let list = mine.makeItem("0")
        mine.makeItem("kept")
        try mine.save()
        let manager = UndoManager()
        mine.undoManager = manager
        mine.delete(list)
        mine.processPendingChanges()
        manager.endEvent()
        let newcomers = Newcomers(theirs, most: rounds + 1)
        try newcomers.addNext()
        // Whenever the save has deleted what was there.
        let observer = NotificationCenter.default.addObserver(
          forName: .NSManagedObjectContextObjectsDidChange, object: mine, queue: nil
        ) { note in
          do { try newcomers.follow(note) } catch { Issue.record(error) }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try mine.save()
        #expect(newcomers.count == rounds + 1)
        let reader = stack.context()
        func stored() throws -> [String: String] {
          try reader.performAndWait {
            reader.reset()
            return try Self.state(reader).mapValues { String($0.prefix { $0 != "," }) }
          }
        }
        #expect(try stored() == ["kept": "in nothing"])
        mine.undo()
        try mine.save()
        var expected = ["kept": "in nothing", "0": "in nothing"]
        for number in 1...rounds + 1 { expected["\(number)"] = "in \(number - 1)" }
        #expect(try stored() == expected)
        #expect(!manager.canUndo)
      }
    }
  }

  /// Two deletions of one save, each with what came to it: each undo brings back its own.
  @Test(arguments: StoreKind.all) func eachUndoBringsBackItsOwn(_ kind: StoreKind) throws {
    let stack = try HistoryStack(NestedModel.make(), kind: kind)
    let (mine, theirs) = (stack.context(), stack.context())
    mine.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try mine.performAndWait {
      try theirs.performAndWait {
        let lists = ["a", "b"].map { mine.makeItem($0) }
        try mine.save()
        let manager = UndoManager()
        mine.undoManager = manager
        for list in lists {
          mine.delete(list)
          mine.processPendingChanges()
          manager.endEvent()
        }
        for list in try theirs.items() { theirs.makeItem("in \(list.title ?? "")", in: list) }
        try theirs.save()
        try mine.save()
        #expect(try mine.titles() == [])
        for titles in [["b", "in b"], ["a", "b", "in a", "in b"]] {
          mine.undo()
          try mine.save()
          #expect(try mine.titles() == titles)
        }
        #expect(!manager.canUndo)
        for titles in [["b", "in b"], []] {
          mine.redo()
          try mine.save()
          #expect(try mine.titles() == titles)
        }
      }
    }
  }

  /// Where a deletion cannot be undone, what it takes along is no step of undo either.
  @Test func aDeletionThatIsNotRecordedLeavesNoStep() throws {
    let stack = try TestStack(.inMemory)
    let (mine, theirs) = (stack.makeContext(), stack.makeContext())
    mine.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try mine.performAndWait {
      try theirs.performAndWait {
        let list = mine.makeItem("list")
        try mine.save()
        let manager = UndoManager()
        mine.undoManager = manager
        manager.disableUndoRegistration()
        mine.delete(list)
        mine.processPendingChanges()
        manager.enableUndoRegistration()
        let seen: Item = try #require(theirs.items().first)
        theirs.makeItem("new", in: seen)
        try theirs.save()
        try mine.save()
        #expect(try mine.titles() == [] && !manager.canUndo)
      }
    }
  }
}
