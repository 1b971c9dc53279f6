import CoreData
import Testing

@testable import CoreDataSamples

/// Messages to dates, with which predicates of the last days are written, in memory and in SQL.
@Suite struct MessagePredicateTests {
  /// The hours by which each thing's date lies in the past.
  private static let hours = [0.5, 2, 30, 100]

  private static let cases: [(format: String, found: [Int])] = [
    ("date >= FUNCTION(now(), 'dateByAddingTimeInterval:', -3600)", [0]),
    ("date < FUNCTION(now(), \"dateByAddingTimeInterval:\", -86400)", [2, 3]),
    ("date >= FUNCTION(now(), 'addTimeInterval:', -86400)", [0, 1]),
    ("FUNCTION(date, 'dateByAddingTimeInterval:', 86400) < now()", [2, 3]),
    ("FUNCTION(date, 'dateByAddingTimeInterval:', double) < now()", [3]),
    (
      "FUNCTION(now(), 'timeIntervalSinceDate:', FUNCTION(now(), 'dateByAddingTimeInterval:', -60)) > 1",
      [0, 1, 2, 3]
    ),
    ("FUNCTION(date, 'timeIntervalSinceDate:', now()) < -86400", [2, 3]),
    ("date > CAST(CAST(now(), 'NSNumber') - 3600, 'NSDate')", [0]),
    (
      "SUBQUERY(children, $c, $c.date < FUNCTION(now(), 'dateByAddingTimeInterval:', -86400)).@count == 2",
      [0]
    ),
  ]

  @Test(arguments: StoreKind.all.filter { !$0.evaluatesItself }, [false, true])
  func daysAreCountedFromNow(_ kind: StoreKind, isSaved: Bool) throws {
    let stack = try TestStack(kind, model: ThingModel.make())
    try stack.withContext { context in
      var first: NSManagedObject?
      for (number, hours) in Self.hours.enumerated() {
        let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
        thing.setValue(number, forKey: "number")
        thing.setValue(Date(timeIntervalSinceNow: -hours * 3600), forKey: "date")
        thing.setValue(200_000.0, forKey: "double")
        thing.setValue(first, forKey: "parent")
        first = first ?? thing
      }
      if isSaved { try context.save() }
      for (format, found) in Self.cases {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        request.predicate = NSPredicate(format: format)
        let numbers = try context.fetch(request).compactMap { $0.value(forKey: "number") as? Int }
        #expect(numbers.sorted() == found, "\(format)")
        let all = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
        let matching = all.filter { request.predicate?.evaluate(with: $0) == true }
        #expect(matching.count == found.count, "\(format), by itself")
      }
    }
  }
}
