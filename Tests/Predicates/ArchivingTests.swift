import Foundation
import Predicates
import Testing

@Suite struct ArchivingTests {
  private func archived<Part: NSObject & NSSecureCoding>(_ part: Part) throws -> Part? {
    let data = try NSKeyedArchiver.archivedData(withRootObject: part, requiringSecureCoding: true)
    return try NSKeyedUnarchiver.unarchivedObject(ofClass: Part.self, from: data)
  }

  @Test(arguments: [
    "a == 1", "a.b CONTAINS[cd] 'x' AND NOT c == nil", "ANY a.b == 1 OR c IN {1, 2}",
    "SUBQUERY(a, $x, $x.b == 1 AND $x.size > 2).@count > 0", "TERNARY(a == 1, 2, 3) == 2",
    "TRUEPREDICATE", "a[0] == 1 AND (b.c)[LAST] == 2", "CAST(a, 'NSNumber') == sum(b)",
    "FUNCTION(a, 'b:', 2) == 1", "$a.b == 2 ** 3", "(a UNION b).@count == 1", "self == 'x'",
    "(a == 1 AND b == 2) AND c == 3", "FETCH($r, $c, NO) == b",
  ])
  func predicatesComeBack(_ format: String) throws {
    let predicate = NSPredicate(format: format)
    let copy = try #require(try archived(predicate))
    #expect(copy == predicate && copy.printedFormat == predicate.printedFormat)
  }

  @Test func constantsOfEveryKindComeBack() throws {
    let values: [Any] = [
      "te'x\"t", 1, 2.5, true, Date(timeIntervalSinceReferenceDate: 0.123456789), Data([1, 2]),
      UUID(), URL(fileURLWithPath: "/a"), [1, "two"] as [Any], ["k": "v"], NSNull(),
      NSDecimalNumber(string: "1.10"), NSOrderedSet(array: [3, 1]),
    ]
    for value in values {
      let predicate = NSPredicate(format: "%K == %@", "été.key", value)
      #expect(try archived(predicate) == predicate, "\(value)")
    }
  }

  @Test func classesComeBack() throws {
    let comparison = try #require(
      NSPredicate(format: "a BETWEEN {1, 2}") as? Predicates.NSComparisonPredicate)
    #expect(try archived(comparison) == comparison)
    let one = CompoundPredicate(andPredicateWithSubpredicates: [comparison])
    #expect(try archived(one) == one)
    #expect(try archived(NSPredicate(value: false)) == NSPredicate(value: false))
    let expression = NSExpression(format: "a + b.@sum.c * %@", 2)
    #expect(try archived(expression) == expression)
  }

  @Test func aBlockCannotBeArchived() async {
    await #expect(processExitsWith: .failure) {
      _ = try NSKeyedArchiver.archivedData(
        withRootObject: NSPredicate(block: { _, _ in true }), requiringSecureCoding: true)
    }
  }
}
