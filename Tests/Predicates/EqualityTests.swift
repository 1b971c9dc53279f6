import Foundation
import Predicates
import Testing

@Suite struct EqualityTests {
  @Test(arguments: [
    "a == 1", "a.b CONTAINS[cd] 'x'", "ANY a.b == 1 OR c IN {1, 2}", "NOT a == nil",
    "SUBQUERY(a, $x, $x.b == 1).@count > 0", "TERNARY(a == 1, 2, 3) == 2", "TRUEPREDICATE",
    "a[0] == 1 AND b[LAST] == 2", "CAST(a, 'NSNumber') == sum(b)", "(a UNION b).@count == 1",
  ])
  func sameFormatsAreEqualAndHashAlike(_ format: String) {
    let (first, second) = (NSPredicate(format: format), NSPredicate(format: format))
    #expect(first == second && first.hash == second.hash)
    #expect((first.copy() as? NSPredicate) == first)
  }

  @Test(arguments: [
    ("a == 1", "a == 2"), ("a == 1", "b == 1"), ("a == 1", "a != 1"), ("a == 'x'", "a ==[c] 'x'"),
    ("ANY a == 1", "ALL a == 1"), ("a == 1 AND b == 1", "a == 1 OR b == 1"),
    ("a == 1 AND b == 1", "a == 1 AND b == 2"), ("a == nil", "a == 0"), ("$a == 1", "a == 1"),
    ("a + 1 == 2", "a - 1 == 2"), ("a IN {1, 2}", "a IN {1, 3}"), ("a == '1'", "a == 1"),
  ])
  func differentFormatsDiffer(_ first: String, _ second: String) {
    #expect(NSPredicate(format: first) != NSPredicate(format: second))
  }

  @Test func nilIsNotTheNullObject() {
    #expect(NSPredicate(format: "a == %@", NSNull()) != NSPredicate(format: "a == nil"))
  }

  @Test func anOptionalWithoutAValueInsideOfAnAnyIsTheNullObject() {
    func constant<Value>(_ value: Value) -> Predicates.NSExpression {
      Predicates.NSExpression(forConstantValue: value)
    }
    #expect(constant(String?.none).description == "<null>")
    #expect(Predicates.NSExpression(forConstantValue: nil).description == "nil")
  }

  @Test func builtAndParsedPredicatesAreEqual() {
    let built = Predicates.NSComparisonPredicate(
      leftExpression: NSExpression(forKeyPath: "a"),
      rightExpression: NSExpression(forConstantValue: 1),
      modifier: .direct, type: .lessThan, options: [])
    #expect(built == NSPredicate(format: "a < 1"))
    #expect(
      CompoundPredicate(notPredicateWithSubpredicate: built) == NSPredicate(format: "NOT a < 1"))
  }

  @Test func foundationsConstantPredicatesDifferFromOurs() {
    #expect(NSPredicate(value: false) != NSPredicate(format: "a == 1"))
    #expect(NSPredicate(value: false) != NSPredicate(format: "a == 1 AND b == 1"))
    #expect(NSPredicate(value: false) == NSPredicate(format: "FALSEPREDICATE"))
  }

  @Test func substitutionReplacesInEveryPart() {
    let predicate = NSPredicate(
      format:
        "a == $v OR ANY b.c IN {$v, 2} OR SUBQUERY(d, $x, $x.e == $v AND $x.f == 1).@count > $v + 1"
    )
    let replaced = predicate.withSubstitutionVariables(["v": 5, "x": 9])
    #expect(
      replaced.printedFormat
        == "a == 5 OR ANY b.c IN {5, 2} OR SUBQUERY(d, $x, $x.e == 5 AND $x.f == 1).@count > 5 + 1")
    #expect(predicate.printedFormat.contains("$v"))
  }

  @Test func unknownVariablesStay() {
    #expect(
      NSPredicate(format: "a == $v").withSubstitutionVariables([:]).printedFormat == "a == $v")
  }
}
