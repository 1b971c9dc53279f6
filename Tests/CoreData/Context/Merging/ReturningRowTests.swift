import CoreData
import CoreDataSupport
import Testing

@testable import CoreDataSamples

/// One process renames an object, another one deletes it and takes the deletion back: both show what the store has.
@Suite struct ReturningRowTests {
  /// How the first process hears of it.
  enum Telling: CaseIterable {
    case atOnce, inTurn
  }

  /// What the first process has of the object when it hears of it.
  enum Holding: CaseIterable {
    case nothing, fault, values
  }

  @Test(
    arguments: StoreKind.all.filter(\.hasHistory), [false, true])
  func whoHasRenamedItShowsWhatCameBack(_ kind: StoreKind, isInsideAnother: Bool) throws {
    for telling in Telling.allCases {
      for holding in Holding.allCases {
        let wrong = try run(kind, isInsideAnother, telling, holding)
        #expect(wrong == nil, "\(telling), \(holding)")
      }
    }
  }

  /// What the first process shows in place of the store's; nil when it shows that.
  private func run(
    _ kind: StoreKind, _ isInsideAnother: Bool, _ telling: Telling, _ holding: Holding
  ) throws -> String? {
    let stack = try HistoryStack(NestedModel.make(), kind: kind)
    let other = try stack.secondCoordinator()
    let first = stack.context()
    let second = stack.context(of: other)
    return try first.performAndWait {
      try second.performAndWait {
        let list = first.makeItem("list")
        let root = isInsideAnother ? first.makeItem("root") : nil
        list.parent = root
        var item: Item? = first.makeItem("before", in: list)
        try first.save()
        let seen = try #require(second.items().first { $0.title == "list" })
        #expect(seen.children.map(\.title) == ["before"])
        let id = try #require(item?.objectID)
        item?.title = "renamed"
        try first.save()
        switch holding {
        case .nothing: item = nil
        case .fault: first.refresh(try #require(item), mergeChanges: false)
        case .values: _ = item?.title
        }
        try deleteAndUndo(seen, in: second)
        let ids = [list.objectID, id]
        let shares: [[AnyHashable: Any]]
        switch telling {
        case .atOnce: shares = [[NSInsertedObjectIDsKey: Set(ids)]]
        case .inTurn:
          shares = [[NSDeletedObjectIDsKey: Set(ids)], [NSInsertedObjectIDsKey: Set(ids)]]
        }
        for data in shares { try first.mergeRemoteChanges(data) }
        // What was held has come back as the same object.
        if let item { #expect(item.title == "renamed" && !item.isDeleted) }
        let titles = try first.titles()
        let reader = stack.context()
        let stored = try reader.performAndWait { try reader.titles() }
        guard titles == stored else { return "\(titles) in place of \(stored)" }
        let members = try #require(first.items().first { $0.title == "list" }).children
        let expected = ["renamed"]
        return members.map(\.title) == expected && stored.contains("renamed")
          ? nil : "\(members.map(\.title)) in the list, \(stored) in the store"
      }
    }
  }

  /// Rows that come back are newer than they were: else who has the old one takes the new one for older.
  @Test(arguments: StoreKind.all.filter(\.hasHistory), Holding.allCases)
  func whatIsChangedBeforeAndAfterAReturnIsShown(_ kind: StoreKind, holding: Holding) throws {
    for (before, after) in [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (3, 1), (3, 3)] {
      let stack = try HistoryStack(NestedModel.make(), kind: kind)
      let (first, second) = (stack.context(), stack.context(of: try stack.secondCoordinator()))
      try first.performAndWait {
        try second.performAndWait {
          _ = second.makeItem("list")
          try second.save()
          let seen = try #require(second.items().first)
          for number in 0..<before {
            seen.title = "before \(number)"
            try second.save()
          }
          let item = try first.items().first
          if holding == .values { _ = item?.title }
          if holding == .fault { first.refresh(try #require(item), mergeChanges: false) }
          // Somebody holds the row, whatever the context does.
          let reader = NSManagedObjectContext(.privateQueue)
          reader.persistentStoreCoordinator = first.persistentStoreCoordinator
          let held = try reader.performAndWait { try reader.items() }
          try deleteAndUndo(seen, in: second)
          for number in 0..<after {
            seen.title = "after \(number)"
            try second.save()
          }
          try first.mergeRemoteChanges([NSInsertedObjectIDsKey: Set([seen.objectID])])
          let what = "\(before) before, \(after) after"
          #expect(try first.items().map(\.title) == [seen.title], "\(what)")
          let mine = try #require(first.items().first)
          mine.title = "mine"
          try first.save()
          try second.mergeRemoteChanges([NSUpdatedObjectIDsKey: Set([seen.objectID])])
          #expect(seen.title == "mine", "\(what)")
          withExtendedLifetime((held, item)) {}
        }
      }
    }
  }

  private func deleteAndUndo(_ list: Item, in context: NSManagedObjectContext) throws {
    let manager = UndoManager()
    context.undoManager = manager
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    context.delete(list)
    context.processPendingChanges()
    manager.endEvent()
    try context.save()
    context.undo()
    try context.save()
  }

  // MARK: - Two take it back

  /// Whether the second one hears of the first one's undo before it saves its own.
  enum Hearing: CaseIterable {
    case before, after, never
  }

  /// Two processes delete a list with what is in it, and both take that back. The second one may rename it then, and so
  /// may the first.
  @Test(arguments: StoreKind.all.filter(\.hasHistory), Hearing.allCases)
  func twoTakeADeletionBack(_ kind: StoreKind, _ hearing: Hearing) throws {
    for renames in [[], ["first"], ["second"], ["first", "second"]] {
      try twoTakeBack(kind, hearing, renames)
    }
  }

  private func twoTakeBack(
    _ kind: StoreKind, _ hearing: Hearing, _ renames: [String]
  ) throws {
    let stack = try HistoryStack(NestedModel.make(), kind: kind)
    let other = try stack.secondCoordinator()
    let (first, second) = (stack.context(), stack.context(of: other))
    try first.performAndWait {
      try second.performAndWait {
        let list = first.makeItem("list")
        first.makeItem("member", in: list)
        try first.save()
        let seen = try #require(second.items().first { $0.title == "list" })
        let ids = try Set(first.items().map(\.objectID))
        for (context, list) in [(first, list), (second, seen)] {
          context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
          let manager = UndoManager()
          context.undoManager = manager
          _ = list.children.map(\.title)
          context.delete(list)
          context.processPendingChanges()
          manager.endEvent()
        }
        try first.save()
        try second.save()
        first.undo()
        second.undo()
        if renames.contains("first") { list.title = "first" }
        try first.save()
        if hearing == .before { try second.mergeRemoteChanges([NSInsertedObjectIDsKey: ids]) }
        if renames.contains("second") { seen.title = "second" }
        try second.save()
        if hearing == .after { try second.mergeRemoteChanges([NSInsertedObjectIDsKey: ids]) }
        let expected = [renames.last ?? "list", "member"]
        let reader = stack.context()
        let stored = try reader.performAndWait { try reader.titles() }
        #expect(stored.sorted() == expected.sorted(), "\(renames)")
        #expect(try second.titles().sorted() == expected.sorted(), "\(renames)")
        #expect(seen.children.map(\.title) == ["member"], "\(renames)")
        #expect(!second.hasChanges)
        // The window goes on.
        second.makeItem("next", in: seen)
        try second.save()
        let all = try reader.performAndWait { try reader.titles() }
        #expect(all.sorted() == (expected + ["next"]).sorted())
      }
    }
  }

  /// Both delete it, the first one takes that back, and hears of the second one's deletion after that.
  @Test(arguments: StoreKind.all.filter(\.hasHistory), [false, true])
  func aDeletionThatIsToldLateTakesNothingAway(_ kind: StoreKind, isHeld: Bool) throws {
    let stack = try HistoryStack(NestedModel.make(), kind: kind)
    let first = stack.context()
    try first.performAndWait {
      var item: Item? = first.makeItem("item")
      try first.save()
      let id = try #require(item?.objectID)
      if !isHeld { first.reset() }
      try first.mergeRemoteChanges([NSDeletedObjectIDsKey: [id] as Set])
      #expect(try first.titles() == ["item"])
      if isHeld { #expect(item?.isDeleted == false && item?.title == "item") }
      item = nil
      #expect(!first.hasChanges)
    }
  }

  /// Under the error policy the second one's rename meets the first one's, and is no row that cannot be saved.
  @Test(arguments: StoreKind.all.filter(\.hasHistory))
  func aRenameOfWhatSomebodyElseBroughtBackIsAConflict(_ kind: StoreKind) throws {
    let stack = try HistoryStack(NestedModel.make(), kind: kind)
    let other = try stack.secondCoordinator()
    let (first, second) = (stack.context(), stack.context(of: other))
    try first.performAndWait {
      try second.performAndWait {
        let item = first.makeItem("item")
        try first.save()
        let seen = try #require(second.items().first)
        for (context, item) in [(first, item), (second, seen)] {
          let manager = UndoManager()
          context.undoManager = manager
          context.delete(item)
          context.processPendingChanges()
          manager.endEvent()
          try? context.save()
          context.rollback()
        }
        // The second one's deletion met the first one's, or was of nothing.
        first.undo()
        item.title = "first"
        try first.save()
        guard second.undoManager?.canUndo == true else { return }
        second.undo()
        seen.title = "second"
        let error = #expect(throws: NSError.self) { try second.save() }
        #expect(error?.code == NSManagedObjectMergeError)
        second.rollback()
        #expect(try second.titles() == ["first"])
        second.makeItem("next")
        try second.save()
      }
    }
  }
}
