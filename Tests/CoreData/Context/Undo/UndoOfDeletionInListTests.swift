import CoreData
import CoreDataSupport
import Testing

@testable import CoreDataSamples

/// What is deleted comes back to its place in a list, whether or not somebody had read the list.
@Suite struct UndoOfDeletionInListTests {
  /// When the list is read first.
  enum Reading: CaseIterable { case before, between, afterTheEvent, never }

  /// Where the list is.
  enum Place: CaseIterable { case context, child, grandchild }

  struct Case: CustomTestStringConvertible {
    let deleted: String
    let reading: Reading
    let place: Place
    let kind: StoreKind
    let isSaved: Bool

    var testDescription: String {
      "\(deleted) \(reading) \(place) \(kind) \(isSaved ? "saved" : "")"
    }
  }

  static let cases = ["a", "c", "e", "bc", "db", "abcde"].flatMap { deleted in
    Reading.allCases.flatMap { reading in
      Place.allCases.flatMap { place in
        [StoreKind.sqlite, .inMemory].flatMap { kind in
          [false, true].map { isSaved in
            Case(deleted: deleted, reading: reading, place: place, kind: kind, isSaved: isSaved)
          }
        }
      }
    }
  }

  @Test(arguments: Sample.of(cases))
  func thePlaceIsTheFormerOne(_ one: Case) throws {
    let stack = try ItemFamily.stack(one.kind, .nullifyDeleteRule, isOrdered: true)
    try stack.withContext { context in
      let list = context.makeItem("list")
      let items = "ecadb".map { context.makeItem("\($0)") }
      list.setValue(NSOrderedSet(array: items), forKey: "children")
      try context.save()
    }
    try stack.withContext { root in
      var contexts = [root]
      while contexts.count < (one.place == .context ? 1 : one.place == .child ? 2 : 3) {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = contexts.last
        contexts.append(child)
      }
      try contexts[contexts.count - 1].performAndWait {
        try check(one, contexts[contexts.count - 1])
      }
    }
  }

  private func check(_ one: Case, _ context: NSManagedObjectContext) throws {
    let manager = UndoManager()
    context.undoManager = manager
    func order() throws -> String {
      let list = try #require(try context.items("title == 'list'").first)
      let children = (list.value(forKey: "children") as? NSOrderedSet)?.array as? [Item] ?? []
      return children.map { $0.title ?? "" }.joined()
    }
    if one.reading == .before { #expect(try order() == "ecadb") }
    let list = try #require(try context.items("title == 'list'").first)
    for name in one.deleted {
      context.delete(try #require(try context.items("title == %@", "\(name)").first))
    }
    let left = "ecadb".filter { !one.deleted.contains($0) }
    if one.reading == .between {
      let children = list.value(forKey: "children") as? NSOrderedSet
      // Each is looked for with what has been deleted before, which ends an event.
      #expect(children?.count == left.count + 1)
    }
    context.processPendingChanges()
    manager.endEvent()
    if one.isSaved { try context.save() }
    if one.reading == .afterTheEvent { #expect(try order() == left) }
    var found: [String] = []
    for _ in 0..<2 {
      context.undo()
      found.append(try order())
      context.redo()
      found.append(try order())
    }
    context.undo()
    try context.save()
    found.append(try order())
    context.reset()
    found.append(try order())
    #expect(found == ["ecadb", left, "ecadb", left, "ecadb", "ecadb"])
  }
}
