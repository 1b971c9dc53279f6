import CoreData
import Testing

/// Transformers of a target with the plugin are found by the names of their classes.
@Suite struct TransformerTests {
  @Test(arguments: [
    "ShadeTransformer", "SourceCompatibilityTests.ShadeTransformer", "Kinds.SecureTransformer",
  ]) func aClassIsFoundByItsName(_ name: String) throws {
    let found = try #require(ValueTransformer(forName: NSValueTransformerName(name)))
    #expect("\(type(of: found))".hasSuffix("Transformer"))
    // The same one every time.
    #expect(found === ValueTransformer(forName: NSValueTransformerName(name)))
  }

  @Test func anotherNameFindsNone() {
    #expect(ValueTransformer(forName: NSValueTransformerName("NoTransformer")) == nil)
    #expect(ValueTransformer(forName: NSValueTransformerName("Shade")) == nil)
  }

  private func saved(_ transformer: String) throws -> Any? {
    let attribute = NSAttributeDescription()
    attribute.name = "shade"
    attribute.attributeType = .transformableAttributeType
    attribute.valueTransformerName = transformer
    let entity = NSEntityDescription()
    entity.name = "Wall"
    entity.properties = [attribute]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"))
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait {
      let wall = NSEntityDescription.insertNewObject(forEntityName: "Wall", into: context)
      wall.setValue(Shade(grey: 7), forKey: "shade")
      try context.save()
      context.reset()
      return try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Wall")).first?
        .value(forKey: "shade")
    }
  }

  @Test func aModelNamesTheClass() throws {
    #expect((try saved("ShadeTransformer") as? Shade)?.grey == 7)
  }

  @Test func aTransformerThatNobodyHasIsNamedByTheError() throws {
    let error = #expect(throws: NSError.self) { try saved("NoTransformer") }
    #expect(
      "\(try #require(error))".contains("no transformer is registered under the name NoTransformer")
    )
  }
}
