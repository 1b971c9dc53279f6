import CoreData
import Testing

@testable import CoreDataSamples

/// Comparisons of an object's entity, which are comparisons of numbers in SQL.
@Suite struct EntityPredicateTests {
  @Test(arguments: StoreKind.all, [true, false])
  func findObjectsOfOneEntity(_ kind: StoreKind, _ isSaved: Bool) throws {
    let stack = try TestStack(kind, model: ThingModel.make())
    let entities = stack.coordinator.managedObjectModel.entitiesByName
    try stack.withContext { context in
      var parent: NSManagedObject?
      for (number, name) in ["Thing", "Special", "Thing", "Special"].enumerated() {
        let thing = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
        thing.setValue(number, forKey: "number")
        thing.setValue(parent, forKey: "parent")
        parent = thing
      }
      if isSaved { try context.save() }
      let (thing, special, tag) = (entities["Thing"]!, entities["Special"]!, entities["Tag"]!)
      for (format, arguments, expected) in [
        ("entity == %@", [special], [1, 3]), ("entity != %@", [special], [0, 2]),
        ("SELF.entity = %@", [thing], [0, 2]), ("entity == %@", [tag], []),
        ("entity IN %@", [[special, tag]], [1, 3]), ("NOT (entity IN %@)", [[special]], [0, 2]),
        ("parent.entity == %@", [special], [2]), ("NOT (parent.entity == %@)", [special], [1, 3]),
        ("ANY children.entity == %@", [thing], [1]), ("parent.entity == entity", [], []),
        ("SUBQUERY(children, $c, $c.entity == %@).@count == 1", [special], [0, 2]),
        ("parent.entity == nil", [], [0]), ("entity == 1", [], []),
      ] as [(String, [Any], [Int])] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        let found = try context.fetch(request).compactMap { $0.value(forKey: "number") as? Int }
        #expect(found.sorted() == expected, "\(format)")
      }
    }
  }

  @Test func areAnErrorWhereSQLHasNoAnswer() throws {
    let stack = try TestStack(.sqlite, model: ThingModel.make())
    stack.withContext { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
      request.predicate = NSPredicate(format: "entity.name == 'Thing'")
      #expect(throws: NSError.self) { try context.fetch(request) }
      request.predicate = nil
      request.sortDescriptors = [NSSortDescriptor(key: "entity", ascending: true)]
      #expect(throws: NSError.self) { try context.fetch(request) }
    }
  }
}
