import CoreData
import Testing

@testable import CoreDataSamples

/// Inside of a SUBQUERY, `SELF` and bare keys are the object that the whole predicate is about, and outer
/// variables keep their meaning, whatever the collection is reached through.
@Suite struct OuterObjectTests {
  private static let cases: [(format: String, expected: [Int])] = [
    ("SUBQUERY(parent.children, $c, $c.small > SELF.small).@count > 0", [2]),
    ("SUBQUERY(parent.children, $c, $c.small > small).@count > 0", [2]),
    ("SUBQUERY(parent.children, $c, $c == SELF).@count == 1", [1, 2, 4]),
    ("SUBQUERY(SELF.parent.children, $c, $c.parent == SELF.parent).@count > 1", [1, 2]),
    (
      "SUBQUERY(parent.children, $c, SUBQUERY(SELF.children, $d, $d.small > $c.small).@count > 0)"
        + ".@count > 0", [1]
    ),
    (
      "SUBQUERY(children, $c, SUBQUERY(children, $d, $d.small > $c.small).@count > 0).@count == 1",
      [0]
    ),
    (
      "SUBQUERY(children, $c, SUBQUERY($c.parent.children, $d, $d != $c AND $d.small != SELF.small)"
        + ".@count > 0).@count == 2", [0]
    ),
    (
      "SUBQUERY(children, $c, SUBQUERY($c.children, $d, $d.small < $c.small AND $d.small > small)"
        + ".@count > 0).@count > 0", [0]
    ),
    // The parent of the first is nil: no members, which is not the same as no answer.
    ("SUBQUERY(parent.children, $c, TRUEPREDICATE).@count == 0", [0, 3]),
    ("NOT (SUBQUERY(parent.children, $c, TRUEPREDICATE).@count > 0)", [0, 3]),
    ("SUBQUERY(parent.children, $c, TRUEPREDICATE)[SIZE] == 0", [0, 3]),
    ("ANY parent.children.small > 5", [1, 2]), ("NONE parent.children.small > 5", [0, 3, 4]),
    ("ALL parent.children.small < 5", [0, 3, 4]), ("NOT (parent.children.@count > 1)", [4]),
  ]

  @Test(arguments: StoreKind.all, [true, false])
  func areTheSameInEveryStore(_ kind: StoreKind, _ isSaved: Bool) throws {
    let stack = try TestStack(kind, model: ThingModel.make())
    try stack.withContext { context in
      var things: [NSManagedObject] = []
      let values: [(small: Int, parent: Int?)] = [(3, nil), (6, 0), (2, 0), (9, nil), (4, 1)]
      for (number, value) in values.enumerated() {
        let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
        thing.setValue(number, forKey: "number")
        thing.setValue(value.small, forKey: "small")
        thing.setValue(value.parent.map { things[$0] }, forKey: "parent")
        things.append(thing)
      }
      if isSaved { try context.save() }
      for (format, expected) in Self.cases {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        request.predicate = NSPredicate(format: format)
        let found = try context.fetch(request).compactMap { $0.value(forKey: "number") as? Int }
        #expect(found.sorted() == expected, "\(format)")
      }
    }
  }
}
