import CoreData
import Foundation
import Testing

/// What a required property is before it has a value, and the names of Swift key paths through such properties.
struct RequiredValueTests {
  @Test func aRequiredObjectThatIsNotThereStopsTheProgramWithItsName() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try withFamily { print(Family.Piece(context: $0).part) }
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("“Piece.part” is nil"), "\(output.prefix(2000))")
  }

  @Test func savingWithoutARequiredValueIsAnError() throws {
    try withFamily { context in
      let piece = Family.Piece(context: context)
      #expect(piece.label == "" && piece.weight == 0)
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSValidationMultipleErrorsError)
    }
  }

  @Test func keyPathsHaveNames() throws {
    try withFamily { _ in expectNames() }
  }

  /// In a process of its own, where no other test has a model in use.
  @Test func keyPathsHaveNamesBeforeAnyModelIsInUse() async {
    await #expect(processExitsWith: .success) { expectNames() }
  }

  /// Two modules may have classes of one name; the model in use is the other one's.
  @Test func keyPathsHaveNamesBesideNamesakes() async {
    await #expect(processExitsWith: .success) {
      let context = try makeNamesakeContext(["Piece", ".Whole", "Other.Part"])
      context.performAndWait {
        let piece = NSEntityDescription.insertNewObject(forEntityName: "Piece", into: context)
        expectNames()
        withExtendedLifetime(piece) {}
      }
    }
  }

  @Test func fetchesAskForNamesAndRawValues() throws {
    try withFamily { context in
      let whole = Family.Whole(context: context)
      whole.colour = .green
      whole.count = 3
      let request = Family.Whole.fetchRequest()
      request.predicate = NSPredicate(
        format: "%K == %@ AND %K > 2", Family.Whole.Keys.colour, Colour.green.rawValue,
        Family.Whole.Keys.count)
      let found = try context.fetch(request)
      #expect(found == [whole])
      #expect(whole.value(forKey: "colour") as? String == "green")
      #expect(whole.value(forKey: "many") is NSSet)
    }
  }
}

private func expectNames() {
  #expect(NSExpression(forKeyPath: \Family.Piece.part.name).keyPath == "part.name")
  #expect(NSExpression(forKeyPath: \Family.Whole.many).keyPath == "many")
  #expect(NSExpression(forKeyPath: \Family.Whole.ordered).keyPath == "ordered")
  #expect(NSExpression(forKeyPath: \Family.Whole.count).keyPath == "count")
  #expect(NSExpression(forKeyPath: \Family.Whole.colour).keyPath == "colour")
  #expect(NSSortDescriptor(keyPath: \Family.Piece.weight, ascending: true).key == "weight")
}

/// A store in memory whose entities have these class names and no property of the family's.
private func makeNamesakeContext(_ classNames: [String]) throws -> NSManagedObjectContext {
  let model = NSManagedObjectModel()
  model.entities = classNames.map { name in
    let entity = NSEntityDescription()
    entity.name = name.split(separator: ".").last.map(String.init)
    entity.managedObjectClassName = name
    return entity
  }
  let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
  try coordinator.addPersistentStore(
    ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
  let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
  context.persistentStoreCoordinator = coordinator
  return context
}
