import CoreData
import Testing

@testable import CoreDataSamples

/// Objects that a program still holds when their context is reset: faults of no context, which read as nothing.
@Suite struct ResetObjectTests {
  enum State: CaseIterable { case inserted, saved, fault, updated, deleted }

  /// How the object is asked first.
  enum Touch: CaseIterable { case materialize, accessor, key, relationship, refreshed }

  @Test(arguments: StoreKind.builtIn, State.allCases)
  func whatIsHeldReadsAsNothing(_ kind: StoreKind, _ state: State) throws {
    for touch in Touch.allCases {
      for inChild in [false, true] {
        let stack = try TestStack(kind)
        try stack.withContext { parent in
          let child = NSManagedObjectContext(.privateQueue)
          child.parent = parent
          let context = inChild ? child : parent
          try context.performAndWait {
            let (item, tag) = try make(state, context, parent)
            context.reset()
            touchFirst(touch, item, context)
            expectNothing(item, tag, "\(kind), \(state), \(touch), in a child: \(inChild)")
          }
        }
      }
    }
  }

  private func make(
    _ state: State, _ context: NSManagedObjectContext, _ parent: NSManagedObjectContext
  ) throws -> (Item, NSManagedObject) {
    let item = context.makeItem("title", order: 3, in: context.makeItem("root"))
    context.makeItem("leaf", in: item)
    let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
    tag.setValue("tag", forKey: "name")
    item.setValue(NSSet(object: tag), forKey: "tags")
    if state == .inserted { return (item, tag) }
    try context.save()
    if context !== parent { try parent.save() }
    switch state {
    case .fault: context.refresh(item, mergeChanges: false)
    case .updated:
      item.title = "changed"
      item.setValue(NSSet(), forKey: "tags")
    case .deleted: context.delete(item)
    default: break
    }
    return (item, tag)
  }

  private func touchFirst(_ touch: Touch, _ item: Item, _ context: NSManagedObjectContext) {
    switch touch {
    case .materialize:
      item.willAccessValue(forKey: nil)
      item.didAccessValue(forKey: nil)
    case .accessor: _ = item.title
    case .key: _ = item.value(forKey: "title")
    case .relationship: _ = item.value(forKey: "tags")
    case .refreshed: context.refreshAllObjects()
    }
  }

  private func expectNothing(_ item: Item, _ tag: NSManagedObject, _ comment: Comment) {
    #expect(item.isFault && item.managedObjectContext == nil, comment)
    #expect(item.title == nil && item.order == 0, comment)
    #expect(item.parent == nil && item.children.isEmpty, comment)
    for key in ["title", "order", "date", "scratch", "parent", "note"] {
      #expect(item.value(forKey: key) == nil, "\(comment): \(key)")
    }
    for key in ["children", "tags"] {
      #expect((item.value(forKey: key) as? NSSet)?.count ?? 0 == 0, "\(comment): \(key)")
      #expect(item.objectIDs(forRelationshipNamed: key).isEmpty, "\(comment): \(key)")
    }
    #expect(!item.isInserted && !item.isUpdated && !item.isDeleted && !item.hasChanges, comment)
    #expect(item.changedValues().isEmpty, comment)
    #expect(!"\(item)".isEmpty && item.entity.name == "Item", comment)
    #expect(tag.value(forKey: "name") == nil && tag.isFault, comment)
    #expect(item.isFault, comment)
  }
}
