import CoreData
import Testing

@testable import CoreDataSamples

/// Predicates with the ID of an object that was never saved: they find it before the save, and after it.
@Suite struct TemporaryIdentifierTests {
  private static let forms = [
    "SELF == %@", "objectID == %@", "SELF IN %@", "NOT SELF == %@", "SELF != %@", "shop == %@",
    "shop IN %@", "ANY labels == %@",
  ]

  private func predicate(_ form: String, _ value: Any) -> NSPredicate {
    NSPredicate(format: form, form.contains("IN") ? [value] : value)
  }

  /// Form × whether an object or its ID is asked for × before the save, after it, after it with an edit.
  @Test(arguments: forms, [true, false])
  func anObjectIsFoundByItsTemporaryID(_ form: String, _ byObject: Bool) throws {
    let stack = try BatchModel.makeStack()
    try stack.withContext { context in
      let shop = context.insert("Shop", ["name": "shop"])
      let label = context.insert("Label", ["name": "label"])
      let good = context.insert("Good", ["code": "a", "shop": shop])
      good.mutableSetValue(forKey: "labels").add(label)
      context.insert("Good", ["code": "b"])
      let target = form.contains("shop") ? shop : form.contains("labels") ? label : good
      let predicate = predicate(form, byObject ? target : target.objectID)
      let expected = form.contains("NOT") || form.contains("!=") ? ["b"] : ["a"]
      for round in 0..<3 {
        if round == 1 { try context.save() }
        if round == 2 { good.setValue(7, forKey: "count") }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Good")
        request.predicate = predicate
        let codes = try context.fetch(request).compactMap { $0.value(forKey: "code") as? String }
        #expect(codes == expected, "\(form), round \(round)")
        #expect(try context.count(for: request) == 1, "\(form), round \(round)")
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Good")
        ids.resultType = .managedObjectIDResultType
        ids.predicate = predicate
        #expect(try context.fetch(ids).count == 1, "\(form), round \(round)")
      }
    }
  }

  @Test func objectIDsAreSortKeys() throws {
    let stack = try BatchModel.makeStack()
    try stack.withContext { context in
      for number in 0..<5 {
        context.insert(number % 2 == 0 ? "Good" : "Toy", ["code": "\(number)"])
      }
      try context.save()
      context.insert("Good", ["code": "new"])
      for ascending in [true, false] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Good")
        request.sortDescriptors = [NSSortDescriptor(key: "objectID", ascending: ascending)]
        let codes = try context.fetch(request).compactMap { $0.value(forKey: "code") as? String }
        let expected = ["new", "0", "2", "4", "1", "3"]
        #expect(codes == (ascending ? expected : expected.reversed()))
      }
    }
  }
}
