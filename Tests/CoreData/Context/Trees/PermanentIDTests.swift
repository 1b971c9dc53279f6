import CoreData
import Testing

@testable import CoreDataSamples

/// The ID that a context of a tree has given is the one under which the object is stored.
@Suite struct PermanentIDTests {
  /// A chain of contexts, each the parent of the next; the last one inserts.
  private struct Chain {
    let stack: TestStack
    let contexts: [NSManagedObjectContext]
    var leaf: NSManagedObjectContext { contexts[contexts.count - 1] }

    init(_ kind: StoreKind, depth: Int) throws {
      stack = try TestStack(kind)
      var contexts = [stack.makeContext()]
      for _ in 0..<depth {
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = contexts[contexts.count - 1]
        contexts.append(child)
      }
      self.contexts = contexts
    }

    /// Runs `body` on the queues of all contexts.
    func run(_ body: () throws -> Void) throws { try run(contexts[...], body) }

    private func run(
      _ rest: ArraySlice<NSManagedObjectContext>, _ body: () throws -> Void
    ) throws {
      guard let context = rest.first else { return try body() }
      try context.performAndWait { try run(rest.dropFirst(), body) }
    }

    /// The titles and IDs that the store has.
    func stored() throws -> [NSManagedObjectID: String] {
      try stack.withContext { context in
        Dictionary(
          uniqueKeysWithValues: try context.items().map { ($0.objectID, $0.title ?? "") })
      }
    }
  }

  /// Depth of the tree × saves made before somebody asks × who asks.
  @Test(arguments: StoreKind.all, 1...3)
  func theIDThatWasGivenIsTheOneThatIsStored(_ kind: StoreKind, _ depth: Int) throws {
    for saves in 0...depth {
      for asking in 0...saves {
        let chain = try Chain(kind, depth: depth)
        try chain.run {
          let item = chain.leaf.makeItem("new")
          for context in chain.contexts.reversed().prefix(saves) { try context.save() }
          let place = "depth \(depth), after \(saves) saves, asked \(asking) levels up"
          let context = chain.contexts[depth - asking]
          let known = asking == 0 ? item : try #require(try context.items().first)
          try context.obtainPermanentIDs(for: [known])
          let id = known.objectID
          #expect(!id.isTemporaryID, "\(place)")
          // A second question, by whoever asks, changes nothing.
          try chain.leaf.obtainPermanentIDs(for: [item])
          #expect(item.objectID == id, "\(place)")
          for context in chain.contexts.reversed() { try context.save() }
          #expect(try chain.stored() == [id: "new"], "\(place)")
          #expect(item.objectID == id)
          item.title = "edited"
          for context in chain.contexts.reversed() { try context.save() }
          #expect(try chain.stored() == [id: "edited"], "\(place): a later edit")
          chain.leaf.delete(item)
          for context in chain.contexts.reversed() { try context.save() }
          #expect(try chain.stored().isEmpty, "\(place): a later deletion")
        }
      }
    }
  }

  @Test(arguments: StoreKind.all)
  func allChildrenOfAParentLearnTheOneID(_ kind: StoreKind) throws {
    let chain = try Chain(kind, depth: 2)
    let sibling = NSManagedObjectContext(.privateQueue)
    sibling.parent = chain.contexts[0]
    try chain.run {
      let item = chain.leaf.makeItem("new")
      try chain.leaf.save()
      try chain.contexts[1].save()
      let twin = try sibling.performAndWait {
        UncheckedBox(try #require(try sibling.items().first))
      }
      try chain.leaf.obtainPermanentIDs(for: [item])
      try sibling.performAndWait {
        #expect(twin.value.objectID == item.objectID)
        try sibling.obtainPermanentIDs(for: [twin.value])
        twin.value.order = 3
        try sibling.save()
      }
      try chain.contexts[0].save()
      #expect(try chain.stored() == [item.objectID: "new"])
      #expect(try chain.stack.withContext { try $0.items().first?.order } == 3)
    }
  }

  @Test func anObjectOfSeveralStoresGetsItsIDWhereItWasAssigned() throws {
    let stack = try TestStack(.inMemory)
    let second = try stack.coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let parent = stack.makeContext()
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = parent
    try parent.performAndWait {
      try child.performAndWait {
        for isSaved in [false, true] {
          let item = child.makeItem("\(isSaved)")
          child.assign(item, to: second)
          if isSaved { try child.save() }
          try child.obtainPermanentIDs(for: [item])
          #expect(item.objectID.persistentStore === second)
          try child.save()
          try parent.save()
          #expect(
            try stack.withContext { try $0.existingObject(with: item.objectID) }.entity.name
              == "Item")
        }
      }
    }
  }

  enum LettingGo: CaseIterable { case rollback, reset, deletion }

  /// What the parent lets go of before it saves, nobody will store: the child hears it.
  @Test(arguments: [StoreKind.inMemory, .sqlite], LettingGo.allCases)
  func anObjectThatTheParentHasLetGoIsAnErrorForItsChild(
    _ kind: StoreKind, _ way: LettingGo
  ) throws {
    for hasID in [false, true] {
      let chain = try Chain(kind, depth: 1)
      try chain.run {
        let (parent, child) = (chain.contexts[0], chain.leaf)
        let item = child.makeItem("new")
        if hasID { try child.obtainPermanentIDs(for: [item]) }
        try child.save()
        switch way {
        case .rollback: parent.rollback()
        case .reset: parent.reset()
        case .deletion:
          for item in try parent.items() { parent.delete(item) }
          try parent.save()
        }
        if !hasID {
          let error = #expect(throws: NSError.self) { try child.obtainPermanentIDs(for: [item]) }
          #expect(error?.code == NSManagedObjectReferentialIntegrityError)
          #expect(item.objectID.isTemporaryID)
        }
        item.title = "edited"
        let error = #expect(throws: NSError.self) { try child.save() }
        #expect(error?.code == NSManagedObjectMergeError)
        let list = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
        #expect(list?.map(\.sourceObject) == [item] && list?.first?.newVersionNumber == 0)
        #expect(!parent.hasChanges && child.updatedObjects == [item])
        // The policy decides, as about a row that is gone.
        child.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try child.save()
        try parent.save()
        #expect(
          try chain.stored() == [
            item.objectID.isTemporaryID ? try #require(chain.stored().keys.first) : item.objectID:
              "edited"
          ])
      }
    }
  }

  @Test func aStoreWinsOverAnEditOfWhatTheParentHasLetGo() throws {
    let chain = try Chain(.sqlite, depth: 1)
    try chain.run {
      let item = chain.leaf.makeItem("new")
      try chain.leaf.save()
      chain.contexts[0].rollback()
      item.title = "edited"
      chain.leaf.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
      try chain.leaf.save()
      #expect(!chain.contexts[0].hasChanges && item.managedObjectContext == nil)
    }
  }

  @Test func whatRefersToAnObjectThatTheParentHasLetGoIsNotPushedWithoutIt() throws {
    let chain = try Chain(.sqlite, depth: 1)
    try chain.run {
      let parent = chain.leaf.makeItem("parent")
      try chain.leaf.save()
      chain.contexts[0].rollback()
      _ = chain.leaf.makeItem("child", in: parent)
      #expect(throws: NSError.self) { try chain.leaf.save() }
      chain.leaf.mergePolicy = NSMergePolicy.overwrite
      try chain.leaf.save()
      try chain.contexts[0].save()
      #expect(Set(try chain.stored().values) == ["child", "parent"])
      #expect(try chain.stack.withContext { try $0.items("parent.title == 'parent'").count } == 1)
    }
  }

  @Test func anObjectOfAnotherContextGetsNoID() throws {
    let stack = try TestStack(.inMemory)
    let (one, other) = (stack.makeContext(), stack.makeContext())
    one.performAndWait {
      let item = one.makeItem("a")
      other.performAndWait {
        #expect(throws: NSError.self) { try other.obtainPermanentIDs(for: [item]) }
      }
      #expect(item.objectID.isTemporaryID && one.insertedObjects == [item])
    }
  }

  /// The parent saves while the child reads, relates and edits what both have.
  @Test func aChildIsTheSameWhileItsParentMakesItsObjectsPermanent() async throws {
    for _ in 0..<20 {
      let stack = try TestStack(.sqlite)
      let parent = stack.makeContext()
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = parent
      try await child.perform {
        let root = child.makeItem("root")
        for number in 0..<40 { child.makeItem("\(number)", in: root) }
        try child.save()
        parent.perform { #expect(throws: Never.self) { try parent.save() } }
        for number in 0..<40 {
          #expect(root.children.count == 40)
          let leaf = try #require(root.children.first { $0.title == "\(number)" })
          #expect(leaf.parent === root)
          leaf.parent = nil
          leaf.parent = root
          leaf.order = Int64(number)
          try child.save()
        }
        let all = root.children
        #expect(child.registeredObjects.count == 41 && all.count == 40)
      }
      try await parent.perform { try parent.save() }
      try stack.withContext { (context) throws in
        #expect(try context.items().count == 41)
        #expect(try context.items("parent.title == 'root'").count == 40)
        #expect(try context.items("order > 0").count == 39)
      }
    }
  }
}
