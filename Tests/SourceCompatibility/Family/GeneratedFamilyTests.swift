import CoreData
import Foundation
import Testing

/// Classes with Xcode's API, of every form: generated as a whole, as extensions, and written by hand.
struct GeneratedFamilyTests {
  private func withFamily(_ body: @Sendable (NSManagedObjectContext) throws -> Void) throws {
    let url = try #require(Bundle.module.url(forResource: "Family", withExtension: "momd"))
    let model = try #require(NSManagedObjectModel(contentsOf: url))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"),
      options: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait { try body(context) }
  }

  /// The same object, fetched anew after a save.
  private func reread<Object: NSManagedObject>(_ object: Object) throws -> Object {
    let context = try #require(object.managedObjectContext)
    try context.save()
    let id = object.objectID
    context.reset()
    return try #require(try context.existingObject(with: id) as? Object)
  }

  @Test func attributesHaveTheTypesThatXcodeGives() throws {
    try withFamily { context in
      for name in ["Whole", "WholeOfWhole", "ExtendedOfWhole", "ManualOfWhole"] {
        let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
        try checkAttributes(of: try #require(object as? Whole))
      }
    }
  }

  private func checkAttributes(of object: Whole) throws {
    for test in FamilyCase.all {
      #expect(test.readsEmpty(object) ?? true, "unset \(test.name)")
      test.set(object)
      #expect(test.hasValue(object), "set \(test.name)")
    }
    (object as? any FamilySubentity)?.own = "own"
    object.title = "Émile"
    let saved = try reread(object)
    #expect(saved.folded == "emile" && saved.colour == "red" && saved.size == 0)
    #expect(saved.namesakes == [])
    for test in FamilyCase.all {
      #expect(test.hasValue(saved), "saved \(test.name)")
      saved.setValue(nil, forKey: test.name)
      #expect(test.readsEmpty(saved) ?? true, "nil \(test.name)")
    }
    saved.managedObjectContext?.rollback()
  }

  @Test func relationshipsHaveXcodesFunctionsInEveryForm() throws {
    try withFamily { context in
      let roots: [any FamilyRoot] = [
        Whole(context: context), Extended(context: context), Manual(context: context),
        WholeOfWhole(context: context), WholeOfExtended(context: context),
        WholeOfManual(context: context), ExtendedOfWhole(context: context),
        ExtendedOfExtended(context: context), ExtendedOfManual(context: context),
        ManualOfWhole(context: context), ManualOfExtended(context: context),
        ManualOfManual(context: context),
      ]
      for root in roots {
        let parts = (0..<5).map { _ in Part(context: context) }
        checkUnordered(root, parts)
        checkOrdered(root, parts)
        checkOwn(root, parts)
      }
    }
  }

  private func checkUnordered(_ root: any FamilyRoot, _ parts: [Part]) {
    #expect(root.title == "none" && root.count == 0 && root.one == nil, "\(type(of: root))")
    root.one = parts[0]
    root.addToMany(parts[0])
    root.addToMany(NSSet(array: parts))
    root.removeFromMany(parts[1])
    root.removeFromMany(NSSet(array: [parts[2], parts[3]]))
    #expect(root.many as? Set<Part> == [parts[0], parts[4]])
    #expect(root.one == parts[0])
  }

  private func checkOrdered(_ root: any FamilyRoot, _ parts: [Part]) {
    var order: [Part] { root.ordered?.array as? [Part] ?? [] }
    root.addToOrdered(parts[0])
    root.addToOrdered(NSOrderedSet(array: [parts[1], parts[2]]))
    root.insertIntoOrdered(parts[3], at: 0)
    #expect(order == [parts[3], parts[0], parts[1], parts[2]])
    root.removeFromOrdered(at: 1)
    root.insertIntoOrdered([parts[4], parts[0]], at: NSIndexSet(indexesIn: NSRange(1..<3)))
    #expect(order == [parts[3], parts[4], parts[0], parts[1], parts[2]])
    root.removeFromOrdered(at: NSIndexSet(index: 0))
    root.removeFromOrdered(parts[2])
    root.replaceOrdered(at: 0, with: parts[3])
    root.replaceOrdered(at: NSIndexSet(index: 1), with: [parts[2]])
    #expect(order == [parts[3], parts[2], parts[1]])
    root.removeFromOrdered(NSOrderedSet(array: [parts[3], parts[1]]))
    #expect(order == [parts[2]])
  }

  private func checkOwn(_ root: any FamilyRoot, _ parts: [Part]) {
    guard let subentity = root as? any FamilySubentity else { return }
    subentity.own = "mine"
    subentity.ownParts = NSSet(array: [parts[2]])
    #expect(subentity.own == "mine" && subentity.ownParts as? Set<Part> == [parts[2]])
  }

  @Test func attributesMayBeCalledLikeKeywords() throws {
    try withFamily { context in
      let object = Keyworded(context: context)
      for (number, path) in keywordPaths.enumerated() { object[keyPath: path] = "\(number)" }
      let saved = try reread(object)
      for (number, path) in keywordPaths.enumerated() {
        #expect(saved[keyPath: path] == "\(number)")
      }
    }
  }

  @Test func templatesHaveFunctions() throws {
    try withFamily { context in
      let whole = Whole(context: context)
      let found = try Whole.fetchByTitle(managedObjectContext: context, title: "none")
      #expect(found == [whole])
      let none = try Whole.fetchOneByTitle(managedObjectContext: context, title: "some")
      #expect(none == nil)
    }
  }

  private static func id<Object: Identifiable>(of object: Object) -> Object.ID { object.id }

  @Test func rootClassesAreIdentifiable() throws {
    try withFamily { context in
      let part = Part(context: context)
      #expect(Self.id(of: part) == nil as UUID?)
      let whole = WholeOfWhole(context: context)
      #expect(Self.id(of: whole) == ObjectIdentifier(whole))
    }
  }
}
