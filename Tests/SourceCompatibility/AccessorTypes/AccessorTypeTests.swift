import CoreData
import Foundation
import Testing

/// Every type that a class can declare for a property, against every type of attribute and relationship:
/// through the property, key-value coding and Swift key paths, unset, set, saved and set to nil.
@Suite struct AccessorTypeTests {
  private static let storeTypes = [NSInMemoryStoreType, NSSQLiteStoreType]

  private static let model: NSManagedObjectModel = {
    let entity = NSEntityDescription()
    entity.name = "TypedObject"
    entity.managedObjectClassName = "SourceCompatibilityTests.TypedObject"
    entity.properties =
      AttributeCase.all.map(attribute) + RelationshipCase.all.map { relationship($0, entity) }
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }()

  private static func attribute(_ test: AttributeCase) -> NSPropertyDescription {
    let attribute: NSAttributeDescription
    if test.type == .compositeAttributeType {
      let composite = NSCompositeAttributeDescription()
      let part = NSAttributeDescription()
      part.name = "part"
      part.attributeType = .stringAttributeType
      part.isOptional = true
      composite.elements = [part]
      attribute = composite
    } else {
      attribute = NSAttributeDescription()
      attribute.attributeType = test.type
    }
    attribute.name = test.name
    attribute.isOptional = true
    return attribute
  }

  private static func relationship(
    _ test: RelationshipCase, _ entity: NSEntityDescription
  ) -> NSPropertyDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = test.name
    relationship.destinationEntity = entity
    relationship.isOptional = true
    relationship.maxCount = test.kind == .toOne ? 1 : 0
    relationship.isOrdered = test.kind == .ordered
    return relationship
  }

  /// Calls `body` with an object, and again with the same one fetched after a save.
  private func withObject(
    _ storeType: String, _ body: (TypedObject, () throws -> TypedObject) throws -> Void
  ) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).sqlite")
    let store = try coordinator.addPersistentStore(
      ofType: storeType, configurationName: nil,
      at: storeType == NSSQLiteStoreType ? url : nil, options: nil)
    defer {
      // What stays behind lies in the system's folder for temporary files.
      try? coordinator.remove(store)
      try? FileManager.default.removeItem(at: url)
    }
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let object = TypedObject(context: context)
      try body(object) {
        try context.save()
        let id = object.objectID
        context.reset()
        return try #require(try context.existingObject(with: id) as? TypedObject)
      }
    }
  }

  @Test(arguments: storeTypes) func attributesAreReadAndWrittenThroughEveryType(storeType: String)
    throws
  {
    try withObject(storeType) { object, reread in
      for test in AttributeCase.all {
        #expect(test.readsEmpty(object) ?? true, "unset \(test.testDescription)")
        test.set(object)
        #expect(test.hasValue(object), "set \(test.testDescription)")
        #expect(object.value(forKey: test.name) != nil, "by key \(test.testDescription)")
      }
      let saved = try reread()
      for test in AttributeCase.all {
        #expect(test.hasValue(saved), "saved \(test.testDescription)")
        saved.setValue(nil, forKey: test.name)
        #expect(test.readsEmpty(saved) ?? true, "nil by key \(test.testDescription)")
        test.setByKey(saved)
        #expect(test.hasValue(saved), "set by key \(test.testDescription)")
        guard let clear = test.clear else { continue }
        clear(saved)
        #expect(saved.value(forKey: test.name) == nil, "nil \(test.testDescription)")
      }
    }
  }

  @Test(arguments: storeTypes) func relationshipsAreReadAndWrittenThroughEveryType(
    storeType: String
  ) throws {
    try withObject(storeType) { object, reread in
      let context = try #require(object.managedObjectContext)
      let others = (0..<2).map { _ in TypedObject(context: context) }
      for test in RelationshipCase.all {
        if test.kind != .toOne {
          #expect(test.members(object) == [], "unset \(test.testDescription)")
        }
        let members = test.kind == .toOne ? [others[1]] : others
        test.set(object, members)
        #expect(test.members(object).map(Set.init) == Set(members), "set \(test.testDescription)")
        if test.kind == .ordered { #expect(test.members(object) == members) }
      }
      let saved = try reread()
      for test in RelationshipCase.all {
        #expect(
          test.members(saved)?.count == (test.kind == .toOne ? 1 : 2),
          "saved \(test.testDescription)")
        guard let clear = test.clear else { continue }
        clear(saved)
        #expect(test.members(saved) ?? [] == [], "nil \(test.testDescription)")
      }
    }
  }

  @Test func keyPathsToEveryTypeHaveNames() {
    for test in AttributeCase.all {
      #expect(test.sortKey() == test.name, "\(test.testDescription)")
      #expect(test.expressionKey() == test.name, "\(test.testDescription)")
    }
    for test in RelationshipCase.all {
      #expect(test.sortKey() == test.name, "\(test.testDescription)")
      #expect(test.expressionKey() == test.name, "\(test.testDescription)")
    }
  }

  @Test func setsCastToSwiftSets() throws {
    try withObject(NSInMemoryStoreType) { object, _ in
      let other = TypedObject(context: try #require(object.managedObjectContext))
      object.toMany_2_1 = NSSet(array: [other])
      #expect(object.toMany_2_1 as? Set<TypedObject> == [other])
      #expect(object.toMany_2_1 as! Set<TypedObject> == [other])
      #expect(object.toMany_2_1?.allObjects as? [TypedObject] == [other])
      object.toMany_2_1 = nil
      #expect(object.toMany_2_1?.count == 0)
    }
  }

  /// The class is written by `AccessorTypeTable`.
  @Test(arguments: AccessorTypeTable.sources.keys.sorted())
  func theGeneratedClassIsUpToDate(name: String) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent(name)
    let source = try #require(AccessorTypeTable.sources[name])
    if ProcessInfo.processInfo.environment["REGENERATE"] != nil {
      try Data(source.utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == source)
  }

  @Test func nothingOfTheCrossProductIsMissing() {
    #expect(AttributeCase.all.count == 315)
    #expect(RelationshipCase.all.count == 21)
  }
}
