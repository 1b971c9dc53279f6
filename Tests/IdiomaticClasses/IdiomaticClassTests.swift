import CoreData
import Foundation
import Testing

/// Classes of the idiomatic flavour, of every form: generated as a whole, as extensions, and written by hand.
struct IdiomaticClassTests {
  @Test func attributesHaveTheTypesThatTheModelMeans() throws {
    try withFamily { context in
      for type in [Family.Whole.self, Family.WholeOfWhole.self, ManualOfWhole.self] {
        let object = try #require(makeObject(type, context) as? Family.Whole)
        try checkAttributes(of: object)
      }
    }
  }

  private func makeObject(
    _ type: Family.Whole.Type, _ context: NSManagedObjectContext
  ) -> NSManagedObject {
    let entity = context.persistentStoreCoordinator!.managedObjectModel
      .entitiesByName["\(type)"]!
    return NSEntityDescription.insertNewObject(forEntityName: entity.name!, into: context)
  }

  private func checkAttributes(of object: Family.Whole) throws {
    for test in FamilyCase.all {
      #expect(test.readsEmpty(object) ?? true, "unset \(test.name)")
      test.set(object)
      #expect(test.hasValue(object), "set \(test.name)")
    }
    (object as? any FamilySubentity)?.own = "own"
    object.title = "Émile"
    let saved = try reread(object)
    #expect(saved.folded == "emile")
    for test in FamilyCase.all {
      #expect(test.hasValue(saved), "saved \(test.name)")
      saved.setValue(nil, forKey: test.name)
      #expect(test.readsEmpty(saved) ?? true, "nil \(test.name)")
    }
    saved.managedObjectContext?.rollback()
  }

  @Test func relationshipsAreSwiftCollectionsInEveryForm() throws {
    try withFamily { context in
      let roots: [any FamilyRoot] = [
        Family.Whole(context: context), Family.Extended(context: context),
        Manual(context: context), Family.WholeOfWhole(context: context),
        Family.WholeOfExtended(context: context), Family.WholeOfManual(context: context),
        Family.ExtendedOfWhole(context: context), Family.ExtendedOfExtended(context: context),
        Family.ExtendedOfManual(context: context), ManualOfWhole(context: context),
        ManualOfExtended(context: context), ManualOfManual(context: context),
      ]
      for root in roots { checkRelationships(of: root, in: context) }
    }
  }

  private func checkRelationships(of root: any FamilyRoot, in context: NSManagedObjectContext) {
    let parts = (0..<3).map { _ in Family.Part(context: context) }
    #expect(root.title == "none" && root.count == nil && root.one == nil, "\(type(of: root))")
    #expect(root.many.isEmpty && root.ordered.isEmpty)
    root.count = 0
    #expect(root.count == 0)
    root.one = parts[0]
    root.addToMany(parts[0])
    root.many.insert(parts[1])
    #expect(root.many == [parts[0], parts[1]])
    root.removeFromMany(parts[0])
    #expect(root.many == [parts[1]])
    root.ordered = parts
    // A member already, it keeps its place.
    root.insertIntoOrdered(parts[2], at: 0)
    root.ordered.swapAt(0, 1)
    root.removeFromOrdered(at: 0)
    #expect(root.one == parts[0] && root.ordered == [parts[0], parts[2]])
    if let subentity = root as? any FamilySubentity {
      #expect(subentity.own == "" && subentity.ownParts.isEmpty)
      subentity.own = "mine"
      subentity.ownParts = [parts[2]]
      #expect(subentity.own == "mine" && subentity.ownParts == [parts[2]])
    }
  }

  @Test func generatedFunctionsTakeSequences() throws {
    try withFamily { context in
      let whole = Family.Whole(context: context)
      let parts = (0..<5).map { _ in Family.Part(context: context) }
      whole.addToMany(parts.prefix(3))
      whole.addToMany(Set(parts.suffix(2)))
      #expect(whole.many == Set(parts))
      whole.removeFromMany(parts.dropFirst())
      #expect(whole.many == [parts[0]])
      whole.addToOrdered(parts.lazy.filter { $0 !== parts[2] })
      whole.insertIntoOrdered(parts[2], at: 0)
      #expect(whole.ordered == [parts[2], parts[0], parts[1], parts[3], parts[4]])
      whole.removeFromOrdered(at: IndexSet([0, 4]))
      #expect(whole.ordered == [parts[0], parts[1], parts[3]])
      whole.insertIntoOrdered([parts[4], parts[2]], at: IndexSet([0, 2]))
      #expect(whole.ordered == [parts[4], parts[0], parts[2], parts[1], parts[3]])
      whole.removeFromOrdered(parts[..<2])
      whole.replaceOrdered(at: 0, with: parts[0])
      whole.replaceOrdered(at: IndexSet([1, 2]), with: [parts[1], parts[4]])
      #expect(whole.ordered == [parts[0], parts[1], parts[4]])
    }
  }

  @Test func rawValuesAreEnumerations() throws {
    try withFamily { context in
      let whole = Family.Whole(context: context)
      #expect(whole.colour == .red && whole.size == nil)
      whole.colour = .green
      whole.size = .large
      for test in FamilyCase.all { test.set(whole) }
      let saved = try reread(whole)
      #expect(saved.colour == .green && saved.size == .large)
      #expect(saved.value(forKey: "colour") as? String == "green")
      #expect(saved.value(forKey: "size") as? Int == 2)
      saved.size = nil
      #expect(saved.value(forKey: "size") == nil)
    }
  }

  @Test func fetchedPropertiesAreArrays() throws {
    try withFamily { context in
      let manual = Family.Whole(context: context)
      for test in FamilyCase.all { test.set(manual) }
      let part = Family.Part(context: context)
      part.name = "none"
      let parts: [Family.Part] = try reread(manual).namesakes
      #expect(parts.map(\.name) == ["none"])
    }
  }

  @Test func attributesMayBeCalledLikeKeywords() throws {
    try withFamily { context in
      let object = Family.Keyworded(context: context)
      for (number, path) in keywordPaths.enumerated() { object[keyPath: path] = "\(number)" }
      let saved = try reread(object)
      for (number, path) in keywordPaths.enumerated() {
        #expect(saved[keyPath: path] == "\(number)")
      }
      #expect(saved.value(forKey: Family.Keyworded.Keys.`default`) as? String == saved.`default`)
    }
  }

  @Test func namesOfPropertiesAreConstants() {
    #expect(Family.Part.Keys.name == "name")
    #expect(Family.WholeOfWhole.Keys.own == "own")
    #expect(Family.WholeOfWhole.Keys.title == "title")
  }

  @Test func initializersAskForWhatIsRequired() throws {
    try withFamily { context in
      let part = Family.Part(context: context)
      let piece = Family.Piece(context: context, label: "a", part: part, weight: 3)
      let small = Family.SmallPiece(context: context, label: "b", part: part, weight: 4)
      let large = Family.LargePiece(
        context: context, label: "c", part: part, weight: 5, length: 1.5)
      #expect(part.pieces == [piece, small, large])
      try context.save()
      #expect(piece.weight == 3 && small.label == "b" && large.length == 1.5)
    }
  }

  private static func id<Object: Identifiable>(of object: Object) -> Object.ID { object.id }

  @Test func rootClassesAreIdentifiable() throws {
    try withFamily { context in
      let part = Family.Part(context: context)
      let uuid = UUID()
      part.id = uuid
      #expect(Self.id(of: part) == uuid)
      let whole = Family.WholeOfWhole(context: context)
      #expect(Self.id(of: whole) == ObjectIdentifier(whole))
    }
  }

  @Test func subentitiesAreFetchedAsTheirClass() throws {
    try withFamily { context in
      Family.ExtendedOfManual(context: context).own = "x"
      let request: NSFetchRequest<Family.ExtendedOfManual> = Family.ExtendedOfManual.fetchRequest()
      let found = try context.fetch(request)
      #expect(found.map(\.own) == ["x"])
      #expect(Family.ExtendedOfManual.entity().name == "ExtendedOfManual")
    }
  }
}
