import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct QueryGenerationTests {
  private func rename(_ stack: TestStack, _ title: String) throws {
    try stack.withContext { (context) throws in
      try #require(try context.items().first).title = title
      context.makeItem("z \(title)")
      try context.save()
    }
  }

  private func makeStack(_ kind: StoreKind = .sqlite) throws -> TestStack {
    let stack = try TestStack(kind)
    try stack.withContext { (context) throws in
      context.makeItem("first")
      try context.save()
    }
    return stack
  }

  @Test func aPinnedContextReadsOneStateUntilItIsUnpinned() throws {
    let stack = try makeStack()
    try stack.withContext { (context) throws in
      #expect(context.queryGenerationToken == nil)
      try context.setQueryGenerationFrom(.current)
      #expect(try context.titles() == ["first"])
      try rename(stack, "second")
      #expect(try context.titles() == ["first"])
      let request = NSFetchRequest<Item>(entityName: "Item")
      #expect(try context.count(for: request) == 1)
      let rows = NSFetchRequest<NSDictionary>(entityName: "Item")
      rows.resultType = .dictionaryResultType
      rows.propertiesToFetch = ["title"]
      #expect(try context.fetch(rows) == [["title": "first"] as NSDictionary])
      try context.setQueryGenerationFrom(nil)
      context.refreshAllObjects()
      #expect(try context.titles() == ["second", "z second"])
      #expect(context.queryGenerationToken == nil)
    }
  }

  @Test func aFaultFiresWithTheValuesOfTheGeneration() throws {
    let stack = try makeStack()
    let context = stack.makeContext()
    let other = stack.makeContext()
    try context.performAndWait {
      try context.setQueryGenerationFrom(.current)
      let request = NSFetchRequest<Item>(entityName: "Item")
      request.includesPropertyValues = false
      let item = try #require(try context.fetch(request).first)
      try other.performAndWait {
        let same = try #require(try other.items().first)
        same.title = "second"
        try other.save()
        #expect(item.title == "first")
        // The old row is nobody else's.
        other.refresh(same, mergeChanges: false)
        #expect(same.title == "second")
      }
    }
  }

  @Test func aSaveAMergeAndAResetGoOnToWhatIsThere() throws {
    let stack = try makeStack()
    try stack.withContext { (context) throws in
      try context.setQueryGenerationFrom(.current)
      #expect(try context.titles() == ["first"])
      try rename(stack, "second")
      context.makeItem("mine")
      try context.save()
      context.refreshAllObjects()
      #expect(try context.titles() == ["mine", "second", "z second"])
      try rename(stack, "third")
      #expect(try context.titles() == ["mine", "second", "z second"])
      context.reset()
      #expect(try context.titles().count == 4)
      #expect(context.queryGenerationToken != nil)
    }
  }

  @Test func batchRequestsDoNotAdvanceAGeneration() throws {
    let stack = try makeStack()
    try stack.withContext { (context) throws in
      try context.setQueryGenerationFrom(.current)
      #expect(try context.titles() == ["first"])
      _ = try context.execute(
        NSBatchInsertRequest(entityName: "Item", objects: [["title": "batch"]]))
      #expect(try context.titles() == ["first"])
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [:], into: [context])
      #expect(try context.titles() == ["batch", "first"])
    }
  }

  @Test func aTokenLetsAnotherContextReadTheSameState() throws {
    let stack = try makeStack()
    try stack.withContext { (context) throws in
      try context.setQueryGenerationFrom(.current)
      #expect(try context.titles() == ["first"])
      let token = try #require(context.queryGenerationToken)
      try rename(stack, "second")
      try stack.withContext { (other) throws in
        try other.setQueryGenerationFrom(token)
        #expect(try other.titles() == ["first"])
      }
      let stranger = try makeStack()
      try stranger.withContext { (other) throws in
        let error = #expect(throws: NSError.self) { try other.setQueryGenerationFrom(token) }
        #expect(error?.localizedFailureReason?.hasPrefix("Invalid generation token") == true)
      }
    }
  }

  @Test func aConflictWithASaveAfterTheGenerationIsNoticed() throws {
    let stack = try makeStack()
    try stack.withContext { (context) throws in
      try context.setQueryGenerationFrom(.current)
      let item = try #require(try context.items().first)
      item.order = 5
      try rename(stack, "second")
      #expect(throws: NSError.self) { try context.save() }
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
      #expect(item.title == "second" && item.order == 5)
    }
  }

  @Test func otherStoresAndChildContextsAreNotPinned() throws {
    let stack = try makeStack(.inMemory)
    try stack.withContext { (context) throws in
      try context.setQueryGenerationFrom(.current)
      #expect(try context.titles() == ["first"])
      try rename(stack, "second")
      context.refreshAllObjects()
      #expect(try context.titles() == ["second", "z second"])
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = context
      child.performAndWait {
        #expect(child.queryGenerationToken == nil)
        #expect(throws: NSError.self) { try child.setQueryGenerationFrom(.current) }
      }
    }
  }

  @Test func theNoteOfASaveHasTheTokenOfAPinnedContext() throws {
    let stack = try makeStack()
    try stack.withContext { (context) throws in
      for isPinned in [false, true] {
        if isPinned { try context.setQueryGenerationFrom(.current) }
        context.makeItem("new")
        let note = try Notifications.ofSave(context)
        let token = note.userInfo?[NSManagedObjectContextQueryGenerationKey]
        #expect((token is NSQueryGenerationToken) == isPinned)
      }
    }
  }
}
