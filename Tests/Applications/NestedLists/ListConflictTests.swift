import CoreData
import Foundation
import Testing

@testable import ListApplication
@testable import NestedLists

/// Two processes that change the same lists before either has heard of the other.
@MainActor struct ListConflictTests {
  private let folder: TemporaryFolder
  private let mine: WindowContext
  private let theirs: NSManagedObjectContext
  private let policy = WindowMergePolicy()

  init() throws {
    folder = try TemporaryFolder()
    let file = folder.file("Lists.sqlite")
    let own = try Self.coordinator(file)
    mine = WindowContext(own, lock: StoreLock(own, name: "Lists", timeout: 5))
    mine.mergePolicy = policy
    theirs = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    theirs.persistentStoreCoordinator = try Self.coordinator(file)
    theirs.undoManager = nil
    let root = Item.insertRoot(in: mine)
    for title in ["a", "b", "c"] {
      let list = Item.insertItem(title: title, parent: root, in: mine)
      mine.processPendingChanges()
      for number in 1...5 {
        Item.insertItem(title: "\(title)\(number)", parent: list, in: mine)
        mine.processPendingChanges()
      }
    }
    try mine.save()
    mine.undoManager = UndoManager()
  }

  private static func coordinator(_ file: URL) throws -> NSPersistentStoreCoordinator {
    let model = NSPersistentContainer(name: "NestedLists").managedObjectModel
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: file,
      options: [NSPersistentHistoryTrackingKey: true])
    return coordinator
  }

  private func item(_ title: String, _ context: NSManagedObjectContext) throws -> Item {
    let request = Item.fetchRequest()
    request.predicate = NSPredicate(format: "title = %@", title)
    return try #require(try context.fetch(request).first)
  }

  /// What a list has in the store, in its order.
  private func titles(_ list: String) throws -> [String] {
    let reader = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    reader.persistentStoreCoordinator = mine.persistentStoreCoordinator
    let items = try item(list, reader).children(from: 0, count: 0)
    #expect(items.map(\.order) == Array(Set(items.map(\.order))).sorted(), "distinct")
    return items.map { $0.title ?? "" }
  }

  /// What this window is told and asked when it saves after the others.
  private func meet(
    _ others: (NSManagedObjectContext) throws -> Void,
    _ own: (NSManagedObjectContext) throws -> Void
  ) throws -> (told: [String], asked: [Overwriting]) {
    // Read before, with their values.
    for object in try mine.fetch(Item.fetchRequest()) { _ = (object.title, object.parent?.title) }
    try own(mine)
    mine.processPendingChanges()
    mine.undoManager?.endEvent()
    try others(theirs)
    try theirs.save()
    var (told, asked): ([String], [Overwriting]) = ([], [])
    policy.tell = { told.append($0) }
    policy.ask = { asked.append($0) }
    try mine.save()
    return (told, asked)
  }

  // MARK: - Moves

  @Test(arguments: [true, false]) func bothHavePutARowIntoAnotherList(takesTheirs: Bool) throws {
    let (told, asked) = try meet {
      try item("a2", $0).move(into: item("b", $0))
    } _: {
      try item("a2", $0).move(into: item("c", $0))
    }
    #expect(told == [] && asked.map(\.isMove) == [true])
    #expect(asked.map(\.texts.theirs) == ["b"] && asked.map(\.texts.mine) == ["c"])
    if takesTheirs { asked.forEach { $0.takeTheirs() } }
    try mine.save()
    let (b, c) = (["b1", "b2", "b3", "b4", "b5"], ["c1", "c2", "c3", "c4", "c5"])
    #expect(try titles("b") == b + (takesTheirs ? ["a2"] : []))
    #expect(try titles("c") == c + (takesTheirs ? [] : ["a2"]))
    #expect(try titles("a") == ["a1", "a3", "a4", "a5"])
  }

  @Test func theListThatTheirsWasPutIntoIsGone() throws {
    let (_, asked) = try meet {
      try item("a2", $0).move(into: item("b", $0))
    } _: {
      try item("a2", $0).move(into: item("c", $0))
    }
    mine.delete(try item("b", mine))
    #expect(asked.map { $0.takeTheirs() } == [false])
    try mine.save()
    #expect(try titles("c").last == "a2")
  }

  @Test func bothHavePutARowIntoTheSameList() throws {
    let (told, asked) = try meet {
      try item("a2", $0).move(into: item("b", $0))
    } _: {
      try item("a2", $0).move(into: item("b", $0))
    }
    #expect(told == [] && asked.isEmpty)
    #expect(try titles("b") == ["b1", "b2", "b3", "b4", "b5", "a2"])
  }

  @Test(arguments: [(1, 3), (4, 0), (0, 2), (3, 4)])
  func bothHaveMovedARowWithinItsList(_ theirPlace: Int, _ ownPlace: Int) throws {
    let (told, asked) = try meet {
      try item("a3", $0).move(from: 2, to: theirPlace)
    } _: {
      try item("a3", $0).move(from: 2, to: ownPlace)
    }
    // A row that stays where it was has not been moved.
    let areBoth = theirPlace != 2 && ownPlace != 2
    #expect(told.count == (areBoth ? 1 : 0) && asked.isEmpty, "\(told)")
    let place = try #require(try titles("a").firstIndex(of: "a3"))
    let where_ = place == 0 ? "comes first" : "comes after “\(try titles("a")[place - 1])”"
    if areBoth { #expect(told == ["Somebody else has just moved “a3”, too: it \(where_) now"]) }
  }

  @Test func anotherRowThatIsMovedWithinTheListIsNotTold() throws {
    let (told, asked) = try meet {
      try item("a5", $0).move(from: 4, to: 0)
    } _: {
      try item("a3", $0).move(from: 2, to: 1)
    }
    #expect(told == [] && asked.isEmpty)
    #expect(try Set(titles("a")) == ["a1", "a2", "a3", "a4", "a5"])
  }

  @Test func theirMoveToAnotherListTakesARowOutOfTheListThatItWasMovedIn() throws {
    let (told, asked) = try meet {
      try item("a3", $0).move(into: item("b", $0))
    } _: {
      try item("a3", $0).move(from: 2, to: 0)
    }
    #expect(told == ["“a3” is in “b” now: somebody else has just moved it there"])
    #expect(asked.isEmpty)
    #expect(try titles("b") == ["b1", "b2", "b3", "b4", "b5", "a3"])
  }

  // MARK: - Deletions

  private func name(_ action: String) {
    mine.processPendingChanges()
    mine.undoManager?.setActionName(action)
  }

  /// What others have put into a list that is being deleted goes along, is named, and comes back.
  @Test(arguments: 0..<5) func undoBringsBackWhatWasJustPutIntoTheList(_ number: Int) throws {
    let deeds: [(NSManagedObjectContext) throws -> Void] = [
      { Item.insertItem(title: "new", parent: try item("a", $0), in: $0) },
      { Item.insertItem(title: "new", parent: try item("a3", $0), in: $0) },
      {
        let new = Item.insertItem(title: "new", parent: try item("a", $0), in: $0)
        Item.insertItem(title: "newer", parent: new, in: $0)
      },
      { try item("b2", $0).move(into: item("a", $0)) },
      { try item("b", $0).move(into: item("a1", $0)) },
    ]
    let names: [Set<String>] = [
      ["new"], ["new"], ["new", "newer"], ["b2"], ["b", "b1", "b2", "b3", "b4", "b5"],
    ]
    var before: [String: String] = [:]
    let (told, asked) = try meet {
      try deeds[number]($0)
      try $0.save()
      before = try state()
    } _: {
      $0.delete(try item("a", $0))
      name("Delete “a”")
    }
    #expect(asked.isEmpty && told.count == 1)
    for name in names[number].sorted().prefix(5) { #expect(told[0].contains("“\(name)”")) }
    #expect(told[0].contains("just added elsewhere"))
    #expect(try state().keys.allSatisfy { !names[number].contains($0) && $0.first != "a" })
    #expect(mine.undoManager?.undoActionName == "Delete “a”")
    mine.undo()
    try mine.save()
    #expect(try state() == before)
    mine.redo()
    try mine.save()
    #expect(try state().keys.allSatisfy { !names[number].contains($0) && $0.first != "a" })
  }

  /// Each item's list in the store.
  private func state() throws -> [String: String] {
    let reader = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    reader.persistentStoreCoordinator = mine.persistentStoreCoordinator
    let items = try reader.fetch(Item.fetchRequest())
    return Dictionary(
      uniqueKeysWithValues: items.map { ($0.title ?? "", $0.parent?.title ?? "") })
  }

  // MARK: - The other side of that

  /// What this window has just saved, and somebody else deletes with its list.
  private func wordsAfter(
    _ own: (NSManagedObjectContext) throws -> Void,
    others: (NSManagedObjectContext) throws -> Void,
    moments: (list: Duration, row: Duration) = (.seconds(1000), .seconds(1000))
  ) throws -> [String] {
    var told: [String] = []
    let deeds = RecentDeeds(of: mine, moments: moments) { told.append($0) }
    try own(mine)
    try mine.save()
    let before = try Set(theirs.fetch(Item.fetchRequest()).map(\.objectID))
    try others(theirs)
    try theirs.save()
    let after = try Set(theirs.fetch(Item.fetchRequest()).map(\.objectID))
    let coordinator = try #require(mine.persistentStoreCoordinator)
    let gone = before.subtracting(after).compactMap {
      coordinator.managedObjectID(forURIRepresentation: $0.uriRepresentation())
    }
    try mine.mergeRemoteChanges([NSDeletedObjectIDsKey: Set(gone)])
    withExtendedLifetime(deeds) {}
    return told
  }

  @Test func whoHasJustPutSomethingThereIsTold() throws {
    let delete: (NSManagedObjectContext) throws -> Void = { $0.delete(try item("a", $0)) }
    #expect(
      try wordsAfter(
        {
          Item.insertItem(title: "new", parent: try item("a", $0), in: $0)
        }, others: delete) == ["The list was deleted. You typed: new"])
  }

  @Test func whoHasJustPutSomethingBelowIsTold() throws {
    let words = try wordsAfter(
      {
        let new = Item.insertItem(title: "new", parent: try item("a2", $0), in: $0)
        Item.insertItem(title: "newer", parent: new, in: $0)
      }, others: { $0.delete(try item("a", $0)) })
    #expect(words.first?.hasPrefix("The list was deleted. You typed: ") == true)
    #expect(words.count == 1 && words.first?.contains("newer") == true)
  }

  @Test func whoHasJustMovedSomethingThereIsTold() throws {
    #expect(
      try wordsAfter({ try item("b2", $0).move(into: item("a", $0)) }) {
        $0.delete(try item("a", $0))
      } == ["“b2”, which you had just moved, was deleted with its list"])
  }

  @Test func whoHasJustRenamedSomethingIsTold() throws {
    #expect(
      try wordsAfter({ try item("b2", $0).title = "typed" }) { $0.delete(try item("b", $0)) }
        == ["That row was deleted. You typed: typed"])
  }

  @Test func whatIsNotOfThisMomentIsNotTold() throws {
    #expect(
      try wordsAfter(
        {
          Item.insertItem(title: "new", parent: try item("a", $0), in: $0)
        }, others: { $0.delete(try item("a", $0)) }, moments: (.zero, .zero)) == [])
  }

  @Test func whatThisWindowDeletesItselfIsNotTold() throws {
    #expect(
      try wordsAfter(
        {
          Item.insertItem(title: "new", parent: try item("a", $0), in: $0)
          try $0.save()
          $0.delete(try item("a", $0))
        }, others: { _ in }) == [])
  }
}
