import Testing

@testable import CoreData
@testable import CoreDataSamples

@Suite struct PrefetchingTests {
  private func reads(_ stack: TestStack) throws -> Int {
    try #require(stack.coordinator.persistentStores[0] as? SQLiteStore).contents.database.readCount
  }

  private func request(_ keyPaths: [String]) -> NSFetchRequest<Item> {
    let request = NSFetchRequest<Item>(entityName: "Item")
    request.relationshipKeyPathsForPrefetching = keyPaths
    return request
  }

  /// 50 lists of 3 items with a note and a tag each.
  private func makeStack(_ kind: StoreKind) throws -> TestStack {
    let stack = try TestStack(kind)
    try stack.withContext { (context) throws in
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue("t", forKey: "name")
      for list in 0..<50 {
        let parent = context.makeItem("list \(list)")
        for number in 0..<3 { context.makeItem("item", order: Int64(number), in: parent) }
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
        note.setValue("note \(list)", forKey: "text")
        parent.setValue(note, forKey: "note")
        parent.mutableSetValue(forKey: "tags").add(tag)
      }
      try context.save()
    }
    return stack
  }

  @Test func aPrefetchedRelationshipCostsOneQueryWhateverTheNumber() throws {
    let stack = try makeStack(.sqlite)
    for (keyPaths, queries) in [(["children"], 1), (["note"], 1), (["tags"], 2)] {
      try stack.withContext { (context) throws in
        let request = request(keyPaths)
        request.predicate = NSPredicate(format: "parent == nil")
        let start = try reads(stack)
        let lists = try context.fetch(request)
        #expect(try reads(stack) - start == 1 + queries)
        let afterFetch = try reads(stack)
        for list in lists {
          if keyPaths == ["children"] {
            #expect(list.children.map(\.title) == ["item", "item", "item"])
          }
          if keyPaths == ["note"] {
            let note = list.value(forKey: "note") as? NSManagedObject
            #expect((note?.value(forKey: "text") as? String)?.hasPrefix("note") == true)
          }
          if keyPaths == ["tags"] {
            let tags = list.value(forKey: "tags") as? Set<NSManagedObject>
            #expect(tags?.first?.value(forKey: "name") as? String == "t")
          }
        }
        #expect(try reads(stack) == afterFetch)
      }
    }
  }

  @Test(arguments: StoreKind.all)
  func aPathOfRelationshipsIsFollowed(_ kind: StoreKind) throws {
    let stack = try makeStack(kind)
    try stack.withContext { (context) throws in
      let request = request(["parent.note"])
      request.predicate = NSPredicate(format: "parent != nil")
      let items = try context.fetch(request)
      #expect(items.count == 150)
      #expect(items.allSatisfy { $0.parent?.hasFault(forRelationshipNamed: "note") == true })
      let wrong = self.request(["title"])
      #expect(throws: NSError.self) { try context.fetch(wrong) }
    }
  }

  @Test(arguments: StoreKind.all)
  func prefetchingKeepsPendingMembers(_ kind: StoreKind) throws {
    let stack = try makeStack(kind)
    try stack.withContext { (context) throws in
      let list = try #require(try context.items("title == 'list 0'").first)
      context.makeItem("new", in: list)
      let request = request(["children"])
      request.predicate = NSPredicate(format: "title == 'list 0'")
      _ = try context.fetch(request)
      #expect(list.children.count == 4)
    }
  }
}
