import CoreData
import Testing

@testable import CoreDataSamples

/// `detectConflicts(for:)`: objects that a save relies on without changing them.
@Suite struct DetectConflictsTests {
  /// Two contexts that have read the same item; the other has changed it if told so.
  private func withReader(
    _ kind: StoreKind, isChangedElsewhere: Bool = true,
    _ body: (NSManagedObjectContext, Item) throws -> Void
  ) throws {
    let stack = try TestStack(kind)
    let id = try stack.withContext { context in
      let item = context.makeItem("a", order: 1)
      try context.save()
      return item.objectID
    }
    try stack.withContext { context in
      let item = try #require(try context.existingObject(with: id) as? Item)
      if isChangedElsewhere {
        try stack.withContext { other in
          (try other.existingObject(with: id) as? Item)?.order = 2
          try other.save()
        }
      }
      try body(context, item)
    }
  }

  @Test(arguments: StoreKind.builtIn)
  func aSaveFailsWhenAWatchedObjectWasChangedElsewhere(_ kind: StoreKind) throws {
    try withReader(kind) { context, item in
      context.makeItem("new")
      context.detectConflicts(for: item)
      let error = try #require(throws: CocoaError.self) { try context.save() }
      #expect(error.code == .managedObjectMerge)
      #expect(context.insertedObjects.count == 1)
    }
  }

  @Test(arguments: StoreKind.builtIn)
  func withoutChangesTheSaveFailsToo(_ kind: StoreKind) throws {
    try withReader(kind) { context, item in
      context.detectConflicts(for: item)
      #expect(throws: CocoaError.self) { try context.save() }
    }
  }

  @Test(arguments: StoreKind.builtIn)
  func aMergePolicyTakesTheStoresValues(_ kind: StoreKind) throws {
    try withReader(kind) { context, item in
      context.makeItem("new")
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      context.detectConflicts(for: item)
      try context.save()
      #expect(item.order == 2 && !item.hasChanges)
    }
  }

  @Test(arguments: StoreKind.builtIn)
  func anObjectThatNobodyChangedIsNotWrittenAndIsWatchedForOneSave(_ kind: StoreKind) throws {
    try withReader(kind, isChangedElsewhere: false) { context, item in
      context.detectConflicts(for: item)
      context.makeItem("new")
      try context.save()
      #expect(item.objectID.cachedRow?.version == 1)
      context.makeItem("newer")
      try context.save()
    }
  }

  @Test(arguments: StoreKind.builtIn)
  func aChildHasItsParentWatch(_ kind: StoreKind) throws {
    try withReader(kind) { parent, item in
      _ = item.order
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = parent
      try child.performAndWait {
        child.detectConflicts(for: child.object(with: item.objectID))
        child.makeItem("new")
        try child.save()
      }
      let error = try #require(throws: CocoaError.self) { try parent.save() }
      #expect(error.code == .managedObjectMerge)
    }
  }
}
