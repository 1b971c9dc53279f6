import CoreData
import CoreDataSupport
import Testing

@testable import CoreDataSamples

/// Many-to-many relationships that are their own inverse.
@Suite struct ReflexiveRelationshipTests {
  private func model(isOrdered: Bool) -> NSManagedObjectModel {
    let person = NSEntityDescription()
    person.name = "Person"
    let friends = NSRelationshipDescription()
    friends.name = "friends"
    friends.destinationEntity = person
    friends.inverseRelationship = friends
    friends.maxCount = 0
    friends.isOrdered = isOrdered
    person.properties = [ModelPart.attribute("name"), friends]
    let model = NSManagedObjectModel()
    model.entities = [person]
    return model
  }

  @Test(arguments: [false, true]) func bothSeeEachOther(_ isOrdered: Bool) throws {
    let stack = try TestStack(.sqlite, model: model(isOrdered: isOrdered))
    try stack.withContext { context in
      let people = ["a", "b", "c"].map { name in
        let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
        person.setValue(name, forKey: "name")
        return person
      }
      if isOrdered {
        people[0].setValue(NSOrderedSet(array: [people[2], people[1]]), forKey: "friends")
      } else {
        people[0].setValue(NSSet(array: [people[2], people[1]]), forKey: "friends")
      }
      try context.save()
    }
    try stack.withContext { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      let names = try context.fetch(request).map { person -> [String] in
        let friends = person.value(forKey: "friends")
        let members = (friends as? NSOrderedSet)?.array ?? (friends as? NSSet)?.allObjects ?? []
        let names = members.compactMap {
          ($0 as? NSManagedObject)?.value(forKey: "name") as? String
        }
        return isOrdered ? names : names.sorted()
      }
      #expect(names == [isOrdered ? ["c", "b"] : ["b", "c"], ["a"], ["a"]])
    }
  }
}
