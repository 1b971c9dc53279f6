import CoreData
import CoreDataSupport
import Testing

@testable import CoreDataSamples

/// How an object begins and how it ends.
@Suite struct ObjectLifeTests {
  @Test func anObjectWithoutAContextHasTheModelsDefaults() throws {
    let stack = try TestStack.company()
    let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Employee"])
    let employee = Employee(entity: entity, insertInto: nil)
    #expect(employee.value(forKey: "salary") as? Int == 0)
    #expect(employee.value(forKey: "mood") as? String == "calm")
    #expect(!employee.isFault && employee.managedObjectContext == nil && employee.calls.isEmpty)
    employee.setValue(5, forKey: "salary")
    stack.withContext { context in
      context.insert(employee)
      #expect(employee.value(forKey: "salary") as? Int == 5 && employee.isInserted)
      #expect(employee.value(forKey: "mood") as? String == "calm")
      #expect(employee.calls == ["awakeFromInsert"])
    }
  }

  enum End: CaseIterable { case save, rollback, reset }

  @Test(arguments: End.allCases, [false, true])
  func theDeletionOfAnUnsavedObjectEndsItsContext(_ end: End, inChild: Bool) throws {
    let stack = try TestStack.company()
    try stack.withContext { parent in
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = parent
      let context = inChild ? child : parent
      try context.performAndWait {
        let employee = try context.hire("Ann")
        context.processPendingChanges()
        context.delete(employee)
        #expect(employee.isDeleted && employee.managedObjectContext === context)
        switch end {
        case .save: try context.save()
        case .rollback: context.rollback()
        case .reset: context.reset()
        }
        #expect(employee.managedObjectContext == nil && !employee.isDeleted && employee.isFault)
        #expect(!context.hasChanges && context.registeredObjects.isEmpty)
        #expect(employee.value(forKey: "name") == nil)
      }
    }
  }

  @Test func whatWasDeletedBeforeItWasSavedIsNotKeptAlive() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      weak var dropped: NSManagedObject?
      for number in 0..<200 {
        let employee = try context.hire("\(number)")
        context.delete(employee)
        context.processPendingChanges()
        dropped = employee
      }
      #expect(dropped == nil)
      #expect(context.registeredObjects.isEmpty)
    }
  }

  @Test func aDeletedObjectCanBeReadUntilItsSaveIsOver() throws {
    let stack = try TestStack.company()
    try stack.withContext { context in
      let employee = try context.hire("Ann")
      try context.save()
      // Written on the context's queue alone.
      nonisolated(unsafe) var names: [String?] = []
      employee.onDidSave = { names.append($0.name) }
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave, object: context, queue: nil
      ) { note in
        let deleted = note.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject>
        names.append((deleted?.first as? Employee)?.name)
      }
      context.delete(employee)
      try context.save()
      NotificationCenter.default.removeObserver(token)
      #expect(names == ["Ann", "Ann"])
      #expect(employee.name == nil && employee.isFault && employee.managedObjectContext == nil)
    }
  }

  @Test func anAbstractEntityHasNoObjectsOfItsOwn() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let model = NSManagedObjectModel()
        let (animal, cat) = (NSEntityDescription(), NSEntityDescription())
        animal.name = "Animal"
        animal.isAbstract = true
        cat.name = "Cat"
        animal.subentities = [cat]
        model.entities = [animal, cat]
        let context = try TestStack(.inMemory, model: model).makeContext()
        context.performAndWait {
          context.insert("Cat")
          context.insert("Animal")
        }
      })
    let text = result.complaint
    #expect(text.contains("“Animal”, which is abstract") && text.contains("(Cat)"))
  }

  @Test func aClassThatNobodyRegisteredIsReplacedAndLogged() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let model = NSManagedObjectModel()
        let thing = NSEntityDescription()
        thing.name = "Thing"
        thing.managedObjectClassName = "Elsewhere.Gadget"
        thing.properties = [ModelPart.attribute("title")]
        model.entities = [thing]
        let stack = try TestStack(.sqlite, model: model)
        try stack.withContext { context in
          for _ in 0..<3 { context.insert("Thing", ["title": "a"]) }
          try context.save()
        }
        let found = try stack.withContext { context in
          try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing")).map {
            "\(type(of: $0)) \($0.value(forKey: "title") ?? "")"
          }
        }
        precondition(found == Array(repeating: "NSManagedObject a", count: 3), "\(found)")
      })
    let text = result.complaint
    #expect(text.components(separatedBy: "Elsewhere.Gadget").count == 2)
    #expect(text.contains("ManagedObjectClasses.register"))
  }
}
