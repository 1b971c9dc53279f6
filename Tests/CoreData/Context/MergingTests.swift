import CoreData
import Testing

@Suite struct MergingTests {
  /// Two contexts on one store; the second merges by itself.
  @Test(arguments: StoreKind.all)
  func aSaveReachesAContextThatMergesByItself(_ kind: StoreKind) async throws {
    let stack = try TestStack(kind)
    let reader = stack.makeContext()
    let writer = stack.makeContext()
    let id = try await writer.perform {
      let item = writer.makeItem("a")
      try writer.save()
      return item.objectID
    }
    reader.automaticallyMergesChangesFromParent = true
    let held = try await reader.perform {
      UncheckedBox(try #require(try reader.existingObject(with: id) as? Item))
    }
    try await writer.perform {
      let item = try #require(try writer.existingObject(with: id) as? Item)
      item.title = "b"
      writer.makeItem("new", in: item)
      try writer.save()
    }
    // The merge was enqueued by the save, ahead of this.
    await reader.perform {
      #expect(held.value.title == "b")
      #expect(held.value.children.map(\.title) == ["new"])
      #expect(!reader.hasChanges)
    }
  }

  @Test func anEditMadeHereStaysOnTopOfAMerge() throws {
    let stack = try TestStack(.inMemory)
    let reader = stack.makeContext()
    let id = try stack.withContext { context in
      let item = context.makeItem("a", order: 1)
      try context.save()
      return item.objectID
    }
    let held = try reader.performAndWait {
      let item = try #require(try reader.existingObject(with: id) as? Item)
      item.order = 9
      return UncheckedBox(item)
    }
    try stack.withContext { writer in
      let item = try #require(try writer.existingObject(with: id) as? Item)
      item.title = "b"
      let note = try Notifications.ofSave(writer)
      reader.performAndWait { reader.mergeChanges(fromContextDidSave: note) }
    }
    try reader.performAndWait {
      #expect(held.value.title == "b")
      #expect(held.value.order == 9)
      try reader.save()
    }
    try stack.withContext { context in
      let item = try #require(try context.existingObject(with: id) as? Item)
      #expect(item.title == "b" && item.order == 9)
    }
  }

  @Test(arguments: StoreKind.all, [0, 1, 2, 3, 4])
  func aConflictIsSettledByThePolicy(_ kind: StoreKind, policy: UInt) throws {
    let stack = try TestStack(kind)
    let id = try stack.withContext { context in
      let item = context.makeItem("base", order: 1)
      try context.save()
      return item.objectID
    }
    let late = stack.makeContext()
    try late.performAndWait {
      let mine = try #require(try late.existingObject(with: id) as? Item)
      mine.title = "mine"
      mine.setValue(Date(timeIntervalSinceReferenceDate: 5), forKey: "date")
      try stack.withContext { early in
        let theirs = try #require(try early.existingObject(with: id) as? Item)
        theirs.title = "theirs"
        theirs.order = 2
        try early.save()
      }
      late.mergePolicy = NSMergePolicy(merge: NSMergePolicyType(rawValue: policy)!)
      if policy == 0 {
        let error = try #require(throws: NSError.self) { try late.save() }
        #expect(error.code == 133020)
        #expect((error.userInfo["conflictList"] as? [NSMergeConflict])?.count == 1)
        return
      }
      try late.save()
    }
    try stack.withContext { context in
      let item = try #require(try context.existingObject(with: id) as? Item)
      let date = item.value(forKey: "date") as? Date
      switch policy {
      case 0, 4: #expect(item.title == "theirs" && item.order == 2 && date == nil)
      case 1: #expect(item.title == "theirs" && item.order == 2 && date != nil)
      case 2: #expect(item.title == "mine" && item.order == 2 && date != nil)
      default: #expect(item.title == "mine" && item.order == 1 && date != nil)
      }
    }
  }
}
