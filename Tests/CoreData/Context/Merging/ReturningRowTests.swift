import CoreData
import Testing

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
}
