import CoreData
import CoreDataSupport
import Testing

@testable import CoreDataSamples

@Suite struct MergePolicyTests {
  /// Runs `body` with an item that `body`'s context has read as base/1 and edited to mine, while another
  /// context has saved theirs/2.
  private func withConflict(
    _ stack: TestStack, delete: Bool = false,
    _ body: (NSManagedObjectContext, Item) throws -> Void
  ) throws {
    let id = try stack.withContext { context in
      let item = context.makeItem("base", order: 1)
      try context.save()
      return item.objectID
    }
    let late = stack.makeContext()
    try late.performAndWait {
      let mine = try #require(try late.existingObject(with: id) as? Item)
      mine.title = "mine"
      try stack.withContext { early in
        let theirs = try #require(try early.existingObject(with: id) as? Item)
        if delete {
          early.delete(theirs)
        } else {
          theirs.title = "theirs"
          theirs.order = 2
        }
        try early.save()
      }
      try body(late, mine)
    }
  }

  private func saved(_ stack: TestStack) throws -> [String] {
    try stack.withContext { (context) throws in
      try context.items().map { "\($0.title ?? ""):\($0.order)" }
    }
  }

  @Test func theDefaultIsTheErrorPolicyAndTheConstantsAreTheClassProperties() {
    let context = NSManagedObjectContext(.privateQueue)
    #expect((context.mergePolicy as? NSMergePolicy) === NSMergePolicy.error)
    #expect((NSErrorMergePolicy as? NSMergePolicy) === NSMergePolicy.error)
    let types: [(AnyObject, NSMergePolicyType)] = [
      (NSErrorMergePolicy, .errorMergePolicyType),
      (NSMergeByPropertyStoreTrumpMergePolicy, .mergeByPropertyStoreTrumpMergePolicyType),
      (NSMergeByPropertyObjectTrumpMergePolicy, .mergeByPropertyObjectTrumpMergePolicyType),
      (NSOverwriteMergePolicy, .overwriteMergePolicyType),
      (NSRollbackMergePolicy, .rollbackMergePolicyType),
    ]
    for (policy, type) in types { #expect((policy as? NSMergePolicy)?.mergeType == type) }
  }

  @Test(arguments: StoreKind.all)
  func aConflictWithAContextOfTheCoordinatorIsWithTheSharedRow(_ kind: StoreKind) throws {
    try withConflict(TestStack(kind)) { context, mine in
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectMergeError)
      let list = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
      let conflict = try #require(list?.first)
      #expect(list?.count == 1 && conflict.sourceObject === mine)
      #expect(conflict.objectSnapshot?["title"] as? String == "base")
      #expect(conflict.cachedSnapshot?["title"] as? String == "theirs")
      #expect(conflict.persistedSnapshot == nil)
      #expect(conflict.oldVersionNumber == 1 && conflict.newVersionNumber == 2)
      #expect(conflict.description.contains("with oldVersion = 1 and newVersion = 2"))
      #expect(mine.title == "mine" && context.hasChanges)
    }
  }

  @Test func aConflictWithAnotherCoordinatorIsWithTheStoresRow() throws {
    let stack = try TestStack(.sqlite)
    let context = stack.makeContext()
    try context.performAndWait {
      let mine = context.makeItem("base", order: 1)
      try context.save()
      let other = NSPersistentStoreCoordinator(managedObjectModel: NestedModel.make())
      try other.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil,
        at: stack.coordinator.persistentStores[0].url)
      let stranger = other.makeContext()
      try stranger.performAndWait {
        try #require(try stranger.items().first).title = "theirs"
        try stranger.save()
      }
      mine.title = "mine"
      let error = try #require(throws: NSError.self) { try context.save() }
      let list = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
      #expect(list?.first?.cachedSnapshot?["title"] as? String == "base")
      #expect(list?.first?.persistedSnapshot?["title"] as? String == "theirs")
      context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
      try context.save()
      #expect(mine.title == "theirs")
    }
  }

  @Test(arguments: StoreKind.all)
  func theObjectShowsTheMergedValuesAfterTheSave(_ kind: StoreKind) throws {
    let expected: [(NSMergePolicy, String, Int64)] = [
      (.mergeByPropertyStoreTrump, "theirs", 2), (.mergeByPropertyObjectTrump, "mine", 2),
      (.overwrite, "mine", 1), (.rollback, "theirs", 2),
    ]
    for (policy, title, order) in expected {
      let stack = try TestStack(kind)
      try withConflict(stack) { context, mine in
        context.mergePolicy = policy
        try context.save()
        #expect(mine.title == title && mine.order == order)
        #expect(mine.changedValues().isEmpty && !context.hasChanges)
      }
      #expect(try saved(stack) == ["\(title):\(order)"])
    }
  }

  @Test(arguments: StoreKind.all)
  func anObjectThatIsGoneFromTheStoreGoesOrIsInsertedAgain(_ kind: StoreKind) throws {
    let expected: [(NSMergePolicy, [String])] = [
      (.mergeByPropertyStoreTrump, []), (.rollback, []),
      (.mergeByPropertyObjectTrump, ["mine:1"]), (.overwrite, ["mine:1"]),
    ]
    for (policy, titles) in expected {
      let stack = try TestStack(kind)
      try withConflict(stack, delete: true) { context, _ in
        let error = try #require(throws: NSError.self) { try context.save() }
        let list = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
        #expect(list?.first?.newVersionNumber == 0)
        #expect(list?.first?.description.contains("newVersion = <deleted>") == true)
        context.mergePolicy = policy
        try context.save()
        #expect(!context.hasChanges)
      }
      #expect(try saved(stack) == titles)
    }
  }

  @Test(arguments: StoreKind.all)
  func aDeletionHereOfWhatWasChangedThereStandsOrIsTakenBack(_ kind: StoreKind) throws {
    let expected: [(NSMergePolicy, [String])] = [
      (.mergeByPropertyStoreTrump, ["theirs:2"]), (.rollback, ["theirs:2"]),
      (.mergeByPropertyObjectTrump, []), (.overwrite, []),
    ]
    for (policy, titles) in expected {
      let stack = try TestStack(kind)
      try withConflict(stack) { context, mine in
        context.delete(mine)
        context.mergePolicy = policy
        try context.save()
        #expect(!context.hasChanges && mine.isDeleted == false)
      }
      #expect(try saved(stack) == titles)
    }
  }

  @Test(arguments: StoreKind.all)
  func aPolicyOfOnesOwnDecidesAfterTheInheritedOne(_ kind: StoreKind) throws {
    let stack = try TestStack(kind)
    try withConflict(stack) { context, mine in
      context.mergePolicy = JoiningPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
      try context.save()
      #expect(mine.title == "base|mine|theirs")
    }
    #expect(try saved(stack) == ["base|mine|theirs:2"])
  }

  @Test func aConflictOfOnesOwnMakingIsSettledByWhatTheStoreHas() throws {
    let stack = try TestStack(.sqlite)
    try withConflict(stack) { context, mine in
      let conflict = NSMergeConflict(
        source: mine, newVersion: 2, oldVersion: 1, cachedSnapshot: nil, persistedSnapshot: nil)
      #expect(conflict.objectSnapshot?["title"] as? String == "base")
      try NSMergePolicy.mergeByPropertyObjectTrump.resolve(mergeConflicts: [conflict])
      try context.save()
      #expect(mine.order == 2 && mine.title == "mine")
    }
  }
}

/// Joins what all sides have to say of the title.
private final class JoiningPolicy: NSMergePolicy {
  override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    let titles = list.map { conflict in
      [
        conflict.objectSnapshot?["title"] as? String,
        conflict.sourceObject.value(forKey: "title") as? String,
        (conflict.persistedSnapshot ?? conflict.cachedSnapshot)?["title"] as? String,
      ]
    }
    try super.resolve(optimisticLockingConflicts: list)
    for (conflict, titles) in zip(list, titles) {
      conflict.sourceObject.setValue(
        titles.compactMap { $0 }.joined(separator: "|"), forKey: "title")
    }
  }
}
