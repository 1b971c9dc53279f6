import CoreData
import Testing

@testable import CoreDataSamples

/// Classes that declare another class of numbers than their model has.
@Suite struct DeclaredNumberTests {
  /// As Apple's accessors, which hand a number out whatever class of numbers is declared.
  @Test func anIntegerIsReadAsADecimalNumber() throws {
    try TestStack(.inMemory, model: PeopleModel.make()).withContext { context in
      let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      let age = ManagedProperty("age")
      person.setManagedValue(NSDecimalNumber(value: 7), age)
      let read: NSDecimalNumber = person.managedValue(age)
      let optional: NSDecimalNumber? = person.managedValue(age)
      #expect(read == 7 && optional == 7)
      person.setValue(nil, forKey: "age")
      let missing: NSDecimalNumber? = person.managedValue(age)
      #expect(missing == nil)
    }
  }
}
