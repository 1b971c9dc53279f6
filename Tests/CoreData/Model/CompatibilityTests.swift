import CoreDataSupport
import Foundation
import Testing
import TestSupport

@testable import CoreData
@testable import CoreDataSamples

/// What the article Compatibility says and no other suite shows.
@Suite struct CompatibilityTests {
  private func model(_ entity: NSEntityDescription) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }

  @Test func allowingEvaluationChangesNothing() {
    let predicate = NSPredicate(format: "title == %@", "a")
    predicate.allowEvaluation()
    #expect(predicate.evaluate(with: ["title": "a"] as NSDictionary))
    let expression = NSExpression(format: "1 + 1")
    expression.allowEvaluation()
    #expect(expression.expressionValue(with: nil, context: nil) as? Int == 2)
  }

  @Test func aBinaryStoreOfApplesIsRefused() throws {
    let folder = try TestFolder()
    let url = folder.file("Apple.binary")
    try NSKeyedArchiver.archivedData(withRootObject: ["a"] as NSArray, requiringSecureCoding: true)
      .write(to: url)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NestedModel.make())
    let error = try #require(throws: NSError.self) {
      try coordinator.addPersistentStore(type: .binary, at: url)
    }
    #expect(error.code == CocoaError.Code.fileReadCorruptFile.rawValue)
    #expect(coordinator.persistentStores.isEmpty)
  }

  @Test func anIndexOverAnExpressionIsNotMade() throws {
    let thing = ModelPart.entity("Thing")
    let title = ModelPart.attribute("title")
    thing.properties = [title]
    let upper = NSExpressionDescription()
    upper.name = "upper"
    upper.expression = NSExpression(format: "uppercase:(title)")
    upper.expressionResultType = .stringAttributeType
    thing.indexes = [
      NSFetchIndexDescription(
        name: "computed",
        elements: [NSFetchIndexElementDescription(property: upper, collationType: .binary)]),
      NSFetchIndexDescription(
        name: "plain",
        elements: [NSFetchIndexElementDescription(property: title, collationType: .binary)]),
    ]
    let fixture = try StoreFixture(model(thing))
    let indexes = try PlainSQL(url: fixture.url).schema.filter { $0.contains("Z_Thing") }
    #expect(indexes == ["CREATE INDEX Z_Thing_plain ON ZTHING (ZTITLE COLLATE BINARY ASC)"])
  }

  @Test func aBatchSizeChangesNoPlainFetch() throws {
    try TestStack(.sqlite).withContext { context in
      for title in ["a", "b", "c"] { context.makeItem(title) }
      try context.save()
      context.reset()
      let request = NSFetchRequest<Item>(entityName: "Item")
      request.fetchBatchSize = 1
      request.returnsObjectsAsFaults = false
      let items = try context.fetch(request)
      #expect(items.count == 3 && items.allSatisfy { !$0.isFault })
    }
  }

  @Test func theClassOfATransformableValueIsNotChecked() throws {
    let note = NSEntityDescription()
    note.name = "Note"
    let words = ModelPart.attribute("words", .transformableAttributeType)
    words.attributeValueClassName = "NSDictionary"
    note.properties = [words]
    try TestStack(.inMemory, model: model(note)).withContext { context in
      let object = context.insert("Note", ["words": "no dictionary" as NSString])
      try context.save()
      #expect(object.value(forKey: "words") as? String == "no dictionary")
    }
  }

  @Test func entitiesOfAModelThatWasUsedStay() throws {
    weak var unused: NSEntityDescription?
    weak var used: NSEntityDescription?
    do {
      let (first, second) = (ModelPart.entity("A"), ModelPart.entity("B"))
      let models = (model(first), model(second))
      (unused, used) = (first, second)
      let stack = try TestStack(.inMemory, model: models.1)
      try stack.withContext { context in
        context.insert("B")
        try context.save()
      }
    }
    #expect(unused == nil)
    #expect(used != nil)
  }

  @Test func anObjectThatIsFreedBecomesNoFault() throws {
    ManagedObjectClasses.register("Passing", module: "CoreDataModelTests", type: Passing.self) {
      Passing(entity: $0, insertInto: $1)
    }
    let passing = NSEntityDescription()
    passing.name = "Passing"
    passing.managedObjectClassName = "Passing"
    passing.properties = [ModelPart.attribute("title")]
    let calls = Calls()
    try TestStack(.inMemory, model: model(passing)).withContext { context in
      do {
        let object = try #require(context.insert("Passing", ["title": "a"]) as? Passing)
        object.calls = calls
        try context.save()
      }
      #expect(calls.noted == ["deinit"])
    }
  }
}

private final class Calls {
  var noted: [String] = []
}

private final class Passing: NSManagedObject {
  var calls: Calls?

  override func didTurnIntoFault() { calls?.noted.append("didTurnIntoFault") }

  deinit { calls?.noted.append("deinit") }
}
