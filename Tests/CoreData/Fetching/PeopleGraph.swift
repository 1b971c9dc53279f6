import CoreData

@testable import CoreDataSamples

/// People with bosses, tags and tasks, saved: what tests of fetches ask about.
///
///     Ada (60, tags a b)  ← boss of Bob (40, tag a), Cy (40), Dee (an Employee, 30, salary 9)
enum PeopleGraph {
  static func makeStack(_ kind: StoreKind) throws -> TestStack {
    let stack = try TestStack(kind, model: PeopleModel.make())
    try stack.withContext { context in
      let ada = insert("Person", "Ada", 60, in: context)
      for (entity, name, age) in [
        ("Person", "Bob", 40), ("Person", "Cy", 40), ("Employee", "Dee", 30),
      ] {
        let person = insert(entity, name, age, in: context)
        person.setValue(ada, forKey: "boss")
        if entity == "Employee" { person.setValue(9, forKey: "salary") }
        if name == "Bob" { tag([ada, person], "a", in: context) }
      }
      tag([ada], "b", in: context)
      for name in ["plan", "build"] {
        let task = NSEntityDescription.insertNewObject(forEntityName: "Task", into: context)
        task.setValue(name, forKey: "name")
        task.setValue(ada, forKey: "owner")
      }
      try context.save()
    }
    return stack
  }

  @discardableResult
  static func insert(
    _ entity: String, _ name: String, _ age: Int, in context: NSManagedObjectContext
  ) -> NSManagedObject {
    let person = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    person.setValue(name, forKey: "name")
    person.setValue(age, forKey: "age")
    person.setValue(Date(timeIntervalSinceReferenceDate: Double(age)), forKey: "born")
    return person
  }

  private static func tag(
    _ people: [NSManagedObject], _ name: String, in context: NSManagedObjectContext
  ) {
    let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
    tag.setValue(name, forKey: "name")
    for person in people { person.mutableSetValue(forKey: "tags").add(tag) }
  }
}

extension NSManagedObjectContext {
  /// The dictionaries of a fetch, of people.
  func dictionaries(
    _ properties: [Any]?,
    _ change: (NSFetchRequest<NSDictionary>) -> Void = { _ in }
  ) throws -> [NSDictionary] {
    let request = NSFetchRequest<NSDictionary>(entityName: "Person")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = properties
    change(request)
    return try fetch(request)
  }

  func people(_ change: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }) throws -> [String] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    change(request)
    return try fetch(request).map { $0.value(forKey: "name") as? String ?? "" }
  }
}

/// A computed column.
func column(
  _ name: String, _ expression: NSExpression,
  _ type: NSAttributeType = .undefinedAttributeType
) -> NSExpressionDescription {
  let description = NSExpressionDescription()
  description.name = name
  description.expression = expression
  description.expressionResultType = type
  return description
}

func column(
  _ name: String, _ function: String, of keyPath: String,
  _ type: NSAttributeType = .undefinedAttributeType
) -> NSExpressionDescription {
  column(
    name, NSExpression(forFunction: function, arguments: [NSExpression(forKeyPath: keyPath)]), type)
}
