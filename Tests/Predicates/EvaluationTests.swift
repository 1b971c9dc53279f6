import Foundation
import KeyValueCoding
import Predicates
import Testing

/// A predicate, what it is asked about, and the answer.
struct Evaluated: CustomTestStringConvertible, @unchecked Sendable {
  // Sendable for the sake of parameterised tests: the values are constants that nothing changes.
  let format: String
  let object: Any?
  let answer: Bool

  init(_ format: String, _ object: Any? = nil, is answer: Bool) {
    self.format = format
    self.object = object
    self.answer = answer
  }

  var testDescription: String { "\(format) is \(answer)" }
}

private var person: [String: Any] {
  [
    "name": "Ada", "age": 36, "height": 1.65, "born": Date(timeIntervalSinceReferenceDate: 0),
    "tags": ["red", "green"], "price": Decimal(string: "1.10") as Any, "numbers": [3, 1, 2],
    "friend": ["name": "Bo", "age": 7],
    "friends": [["name": "Bo", "age": 7], ["name": "Cy", "age": 9]],
    "set": Set(["a", "b"]), "big": Int64.max,
  ]
}

private let nilCases: [Evaluated] = [
  .init("nil == nil", is: true), .init("nil != 42", is: true), .init("nil == 'x'", is: false),
  .init("nil > ''", is: false), .init("nil < 1", is: false), .init("nil >= nil", is: true),
  .init("nil > nil", is: false), .init("nil LIKE '*'", is: false),
  .init("nil BEGINSWITH 'a'", is: false), .init("nil contains 42", is: false),
  .init("nil IN {1}", is: false), .init("nil BETWEEN {1, 2}", is: false),
  .init("author != 'x'", person, is: true), .init("author == 'x'", person, is: false),
  .init("NOT author == 'x'", person, is: true), .init("author == nil", person, is: true),
  .init("author.name == nil", person, is: true), .init("author.@count == 0", person, is: false),
  .init("author.name.length == nil", person, is: true),
]

private let numberCases: [Evaluated] = [
  .init("40.0 == 40", is: true), .init("YES == 1", is: true), .init("'42' == 42", is: false),
  .init("'42' != 42", is: true), .init("age == 36", person, is: true),
  .init("height > 1.64 AND height < 1.66", person, is: true),
  .init("price == 1.1", person, is: true),
  .init("price < 1.2", person, is: true), .init("big == 9223372036854775807", person, is: true),
  .init("big < 9223372036854775807.0", person, is: true),
  .init("age BETWEEN {36, 40}", person, is: true), .init("age BETWEEN {37, 40}", person, is: false),
  .init("'b' BETWEEN {'a', 'c'}", is: true), .init("1 << 3 == 8", is: true),
  .init("2 & 1 == 0", is: true), .init("2 ^ 1 == 3", is: true), .init("6 ** 2 * 2 == 72", is: true),
  .init("4 + 5 - 2**3 == 1", is: true), .init("41 / 2 * 2 <> 41", is: true),
  .init("5 / 2.5 == 2", is: true), .init("SELF>-1", 0, is: true),
  .init("-age == -36", person, is: true),
  .init("0x1F == 31 AND 0b101 == 5 AND 0o17 == 15", is: true), .init("9.2e-5 < 0.0001", is: true),
  .init("born == CAST(0, 'NSDate')", person, is: true), .init("born < now()", person, is: true),
]

private let stringCases: [Evaluated] = [
  .init("'ABC' < 'abc'", is: true), .init("'x z' < 'xyz'", is: true),
  .init("'Ada' ==[c] 'aDA'", is: true), .init("'Ádá' ==[cd] 'aDA'", is: true),
  .init("'Ádá' ==[c] 'áDÁ'", is: true), .init("'Ádá' ==[c] 'aDA'", is: false),
  .init("'straße' ==[c] 'STRASSE'", is: true), .init("'b' <[c] 'C'", is: true),
  .init("'B' !=[c] 'b'", is: false), .init("'aBcDeF' beginswith ''", is: false),
  .init("'abc' CONTAINS ''", is: false), .init("'abc' ENDSWITH 'bc'", is: true),
  .init("'abc' BEGINSWITH[c] 'AB'", is: true), .init("'éa' BEGINSWITH[cd] 'EA'", is: true),
  .init("'xéa' CONTAINS[d] 'ea'", is: true), .init("'e\u{301}a' CONTAINS[cd] 'EA'", is: true),
  .init("'abc' CONTAINS 'B'", is: false), .init("'b' IN 'abc'", is: true),
  .init("'B' IN[c] 'abc'", is: true), .init("'abcde' LIKE 'a?c*'", is: true),
  .init("'abc' LIKE 'b'", is: false), .init("'aéc' LIKE 'a?c'", is: true),
  .init("'a*c' LIKE 'a\\\\*c'", is: true), .init("'abc' LIKE 'a\\\\*c'", is: false),
  .init("'a(b' LIKE 'a(*'", is: true), .init("'ABC' LIKE[c] 'a*'", is: true),
  .init("'a\nb' LIKE 'a*b'", is: true), .init("'ab' MATCHES 'a|ab'", is: true),
  .init("'xab' MATCHES 'ab'", is: false), .init("'AB' MATCHES[c] 'ab'", is: true),
  .init("'Áb' MATCHES[cd] 'a.'", is: true), .init("'ab' ==[n] 'ab'", is: true),
  .init("'é' == 'e\u{301}'", is: false), .init("'é' ==[d] 'e\u{301}'", is: true),
]

private let collectionCases: [Evaluated] = [
  .init("'red' IN tags", person, is: true), .init("tags CONTAINS 'blue'", person, is: false),
  .init("age IN {1, 36}", person, is: true), .init("NOT (age IN {1, 36})", person, is: false),
  .init("name IN[c] {'ADA'}", person, is: true), .init("36.0 IN {1, 36}", is: true),
  .init("friend.age == 7", person, is: true), .init("7 IN friend", person, is: true),
  .init("ANY friends.age > 8", person, is: true), .init("ALL friends.age > 8", person, is: false),
  .init("NONE friends.age > 9", person, is: true),
  .init("SOME friends.name == 'Bo'", person, is: true),
  .init("ANY {} == 1", is: false), .init("SOME {} == 1", is: false), .init("ALL {} == 1", is: true),
  .init("NONE {} == 1", is: true), .init("ANY {0, 42} BETWEEN {23, 50}", is: true),
  .init("ALL {1, 2} > 0", is: true), .init("{1, 2, 3} == {1, 2, 3}", is: true),
  .init("{1, 2} == {2, 1}", is: false), .init("tags.@count == 2", person, is: true),
  .init("friends.@sum.age == 16 AND friends.@avg.age == 8", person, is: true),
  .init("friends.@max.age == 9 AND friends.@min.age == 7", person, is: true),
  .init("numbers[0] == 3 AND numbers[LAST] == 2 AND numbers[SIZE] == 3", person, is: true),
  .init("{}[FIRST] == 1", is: false), .init("{}[LAST] = {3}", is: false),
  .init("{}[SIZE] = 0", is: true),
  .init("numbers[7] == nil", person, is: true), .init("friend['name'] == 'Bo'", person, is: true),
  .init("friends[0].name == 'Bo'", person, is: true),
  .init("SUBQUERY(friends, $f, $f.age > 8 AND age > 30).@count == 1", person, is: true),
  .init(
    "SUBQUERY(friends, $f, SUBQUERY({1, 8}, $n, $f.age > $n).@count == 2).@count == 1", person,
    is: true),
  .init("set CONTAINS 'a'", person, is: true),
  .init("(numbers UNION {3, 4}).@count == 4", person, is: true),
  .init("(numbers INTERSECT {3, 4}).@count == 1", person, is: true),
  .init("(numbers MINUS {3, 4}).@count == 2", person, is: true),
]

private let functionCases: [Evaluated] = [
  .init("sum(1, 2, 3) == 6", is: true), .init("sum:(1,1) == 2", is: true),
  .init("sum(numbers) == 6", person, is: true), .init("MAX(1, 5, 10) == 10", is: true),
  .init("average({1, 2}) == 1.5", is: true), .init("median({3, 1, 2}) == 2", is: true),
  .init("mode({1, 2, 2}) == {2}", is: true), .init("count({1, 2}) == 2", is: true),
  .init("multiply:by:(5,3) == 15", is: true), .init("from:subtract:(5,3) == 2", is: true),
  .init("modulus:by:(7, 3) == 1", is: true), .init("sqrt(16) == 4", is: true),
  .init("raise:toPower:(2, 10) == 1024", is: true), .init("log(100) == 2", is: true),
  .init("abs(-3) == 3 AND floor(1.5) == 1 AND ceiling(1.5) == 2 AND trunc(-1.5) == -1", is: true),
  .init("uppercase('a') == 'A' AND lowercase('A') == 'a' AND length('abc') == 3", is: true),
  .init("canonical('É') == 'e'", is: true), .init("onesComplement(0) == -1", is: true),
  .init("noindex(age) == 36", person, is: true),
  .init("TERNARY(age > 30, 'old', 'young') == 'old'", person, is: true),
  .init("CAST('2016-01-02T00:00:00Z', 'NSDate') < now()", is: true),
  .init("CAST(CAST(now(), 'NSNumber') - 7257600, 'NSDate') < now()", is: true),
  .init("CAST(5, 'NSString') == '5'", is: true), .init("CAST('5', 'NSNumber') == 5", is: true),
  .init("FUNCTION('abc', 'uppercaseString') == 'ABC'", is: true),
  .init("FUNCTION(SELF, 'valueForKey:', 'age') == 36", person, is: true),
  .init("FUNCTION(nil, 'anything:', 1) == nil", is: true),
]

@Suite struct EvaluationTests {
  @Test(arguments: nilCases) func judgesNil(_ evaluated: Evaluated) { expectAnswer(evaluated) }

  @Test(arguments: numberCases) func judgesNumbers(_ evaluated: Evaluated) {
    expectAnswer(evaluated)
  }

  @Test(arguments: stringCases) func judgesStrings(_ evaluated: Evaluated) {
    expectAnswer(evaluated)
  }

  @Test(arguments: collectionCases) func judgesCollections(_ evaluated: Evaluated) {
    expectAnswer(evaluated)
  }

  @Test(arguments: functionCases) func callsFunctions(_ evaluated: Evaluated) {
    expectAnswer(evaluated)
  }

  private func expectAnswer(_ evaluated: Evaluated) {
    let predicate = NSPredicate(format: evaluated.format)
    #expect(predicate.evaluate(with: evaluated.object) == evaluated.answer)
  }

  @Test(arguments: [
    "'a' < 1", "1 BETWEEN {1}", "1 BETWEEN {1, 2, 3}", "1 IN 2", "5 CONTAINS 1", "'1' + '1' == 2",
    "1 / 0 == 1", "$unbound == 1", "ANY 1 == 1", "'a' MATCHES '['", "12.8 * nil == 1",
    "SELF isKindOfClass: 'X'", "FUNCTION('a', 'foo:bar:', 1) == 1", "sqrt(1, 2) == 1",
    "distanceToLocation:fromLocation:(1, 2) < 1", "CAST(1, 'Class') == 1",
  ])
  func whatHasNoAnswerThrows(_ format: String) {
    let compiled = CompiledPredicate(NSPredicate(format: format))
    #expect(throws: (any Error).self) { _ = try compiled.matches(value: NSNull()) }
  }

  @Test func variablesAreLookedUp() {
    let predicate = NSPredicate(format: "age > $limit AND ANY $names == name")
    let variables: [String: Any] = ["limit": 30, "names": ["Ada"]]
    #expect(predicate.evaluate(with: person, substitutionVariables: variables))
    #expect(predicate.withSubstitutionVariables(variables).evaluate(with: person))
  }

  @Test func blocksGetTheBindings() {
    let block = NSPredicate { object, bindings in object as? Int == bindings?["x"] as? Int }
    let predicate = CompoundPredicate(andPredicateWithSubpredicates: [
      block, NSPredicate(format: "$x > 1"),
    ])
    #expect(predicate.evaluate(with: 2, substitutionVariables: ["x": 2]))
    let expression = NSExpression(
      block: { object, _, _ in (object as? Int ?? 0) + 1 }, arguments: nil)
    #expect(expression.expressionValue(with: 1, context: nil) as? Int == 2)
  }

  @Test func foundationFiltersWithOurPredicates() {
    let numbers = [1, 2, 3] as NSArray
    #expect(numbers.filtered(using: NSPredicate(format: "SELF > 1")) as? [Int] == [2, 3])
  }

  @Test func expressionsHaveValues() {
    let expression = NSExpression(format: "age + %d", 4)
    #expect(expression.expressionValue(with: person, context: nil) as? Int == 40)
  }

  @Test func distancesBetweenLocationsAreInMetres() {
    let (berlin, paris) = (
      ["latitude": 52.52, "longitude": 13.405], ["latitude": 48.8566, "longitude": 2.3522]
    )
    let format = "distanceToLocation:fromLocation:(place, %@) BETWEEN {877000, 878500}"
    #expect(NSPredicate(format: format, paris).evaluate(with: ["place": berlin]))
    #expect(
      NSPredicate(format: "distanceToLocation:fromLocation:(place, nil) == nil").evaluate(with: [
        "place": berlin
      ]))
  }
}
