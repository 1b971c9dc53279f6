import Foundation
import Predicates
import Testing

/// Arguments as Apple's bridge takes them: `as CVarArg`, in arrays of that, in C lists.
@Suite struct VariableArgumentTests {
  private final class Thing: NSObject {
    override var description: String { "thing" }
  }

  private static let date = Date(timeIntervalSinceReferenceDate: 500)
  private static let id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!

  private static let arguments: [(any CVarArg & Sendable, String)] = [
    (id, id.uuidString), (date, "CAST(500.000000, \"NSDate\")"), ("text", "\"text\""),
    (URL(string: "http://a.example/x")!, "http://a.example/x"),
    (Data([1]), (Data([1]) as NSData).description),
    (7, "7"), (2.5, "2.5"), ([1, 2], "{1, 2}"), (["a"], "{\"a\"}"), (Set([3]), "{3}"),
    (Decimal(string: "1.5")!, "1.5"),
  ]

  @Test(arguments: Self.arguments.indices)
  func everyTypeIsTakenInEveryForm(_ index: Int) {
    let (argument, text) = Self.arguments[index]
    let expected = "key == \(text)"
    #expect(NSPredicate(format: "key == %@", argument as CVarArg).printedFormat == expected)
    let list: [CVarArg] = [argument]
    #expect(NSPredicate(format: "key == %@", argumentArray: list).printedFormat == expected)
    // A number by itself goes as one, not as an object.
    guard !(argument is Int), !(argument is Double) else { return }
    let made = withVaList(list) { NSPredicate(format: "key == %@", arguments: $0) }
    #expect(made.printedFormat == expected)
  }

  @Test func aListHasNumbersKeyPathsAndObjectsInOrder() {
    let thing = Thing()
    let list: [CVarArg] = [
      "a.b" as CVarArg, Int32(-3), Int64.max, 2.5, thing, "x" as CVarArg, NSNumber(value: 4),
      NSSet(array: [5]), UInt64.max, 6, 7, 8.5,
    ]
    let format =
      "%K == %d AND b == %lld AND c < %f AND d == %@ AND e == %@ AND f == %@ AND g IN %@ AND h == %llu "
      + "AND i == %ld AND j == %i AND k == %g"
    let predicate = withVaList(list) { NSPredicate(format: format, arguments: $0) }
    #expect(
      predicate.printedFormat
        == "a.b == -3 AND b == 9223372036854775807 AND c < 2.5 AND d == thing AND e == \"x\" "
        + "AND f == 4 AND g IN {5} AND h == 18446744073709551615 AND i == 6 AND j == 7 AND k == 8.5"
    )
    let expression = withVaList([2, 3.5]) { NSExpression(format: "%ld + %f", arguments: $0) }
    #expect("\(expression)" == "2 + 3.5")
  }

  @Test func aFunctionOfOnesOwnPassesItsArgumentsOn() {
    func make(_ format: String, _ arguments: CVarArg...) -> NSPredicate {
      withVaList(arguments) { NSPredicate(format: format, arguments: $0) }
    }
    #expect(make("id == %@ AND n > %d", Self.id, 3).printedFormat == "id == \(Self.id) AND n > 3")
  }

  @Test func aPredicateWithoutAFormatCanBeReplaced() {
    var predicate = NSPredicate()
    #expect(predicate.description == "NSPredicate()")
    predicate = NSPredicate(value: true)
    #expect(predicate.evaluate(with: nil))
  }

  @Test func aClassOfAClientMayBeCalledCompoundPredicate() {
    final class CompoundPredicate {}
    _ = CompoundPredicate()
    let both = NSPredicate.Compound(andPredicateWithSubpredicates: [
      NSPredicate(format: "a == 1"), NSPredicate(format: "b == 2"),
    ])
    #expect(both.predicateFormat == "a == 1 AND b == 2")
    #expect(NSPredicate(format: "a == 1 AND b == 2") == both)
  }
}
