import Foundation
import Predicates
import Testing

/// A format with its arguments and the text that Apple's prints for it.
struct PrintedPair: CustomTestStringConvertible, @unchecked Sendable {
  // Sendable for the sake of parameterised tests: the arguments are constants that nothing changes.
  let format: String
  let arguments: [Any?]
  let text: String

  init(_ format: String, _ arguments: Any?..., prints text: String) {
    self.format = format
    self.arguments = arguments
    self.text = text
  }

  var testDescription: String { format }
}

private let date = Date(timeIntervalSinceReferenceDate: 592_299_475.57712)
private let day = Date(timeIntervalSinceReferenceDate: 86_400)
private let uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")

/// Apple's printed texts, as its documentation and tests that run on its systems show them.
private let pairs: [PrintedPair] = [
  .init("isMale == YES", prints: "isMale == 1"),
  .init("isMale == yes", prints: "isMale == 1"),
  .init("isMale == TRUE", prints: "isMale == 1"),
  .init("isMale == no", prints: "isMale == 0"),
  .init("isMale == false", prints: "isMale == 0"),
  .init("isMale == %@", true, prints: "isMale == 1"),
  .init("%@ like %@", "firstName", "Adam", prints: "\"firstName\" LIKE \"Adam\""),
  .init("%K like %@", "firstName", "Adam", prints: "firstName LIKE \"Adam\""),
  .init("'%K' like '%@'", prints: "\"%K\" LIKE \"%@\""),
  .init("SELF like[c] 'prefix*suffix'", prints: "SELF LIKE[c] \"prefix*suffix\""),
  .init(
    "SELF like[c] %@*%@", "prefix", "suffix", prints: "SELF LIKE[c] \"prefix\" * \"suffix\""),
  .init("a.@count == 3", prints: "a.@count == 3"),
  .init("a.firstName.length == 3", prints: "a.firstName.length == 3"),
  .init("FUNCTION(a, \"pow:\", 3) == 8", prints: "FUNCTION(a, \"pow:\" , 3) == 8"),
  .init("FUNCTION('a', 'uppercase') == 'A'", prints: "FUNCTION(\"a\", \"uppercase\") == \"A\""),
  .init("a[SIZE] == 3", prints: "a[SIZE] == 3"),
  .init("a[FIRST] == 1", prints: "a[FIRST] == 1"),
  .init("a[ last ] == 3", prints: "a[LAST] == 3"),
  .init("a[1] == 2", prints: "a[1] == 2"),
  .init("$a == 1", prints: "$a == 1"),
  .init("%K like %@+$b+$c", "$single", "b\"", prints: "$single LIKE (\"b\\\"\" + $b) + $c"),
  .init("railsID == $PRIMARY_KEY_VALUE", prints: "railsID == $PRIMARY_KEY_VALUE"),
  .init("this = that", prints: "this == that"),
  .init("%K = %@", "int_key", Int16(-42), prints: "int_key == -42"),
  .init("%K = %@", "uint_key", UInt16(42), prints: "uint_key == 42"),
  .init("%K = %@", "double_key", 42.42, prints: "double_key == 42.42"),
  .init("%K = %@", "number_key", NSNumber(value: false), prints: "number_key == 0"),
  .init("%K = %@", "null_key", nil, prints: "null_key == nil"),
  .init("%K = %@", "key", date, prints: "key == CAST(592299475.577120, \"NSDate\")"),
  .init("name == NULL", prints: "name == nil"),
  .init("name == %@", NSNull(), prints: "name == <null>"),
  .init("company.name == %@", "Cocode", prints: "company.name == \"Cocode\""),
  .init("TruePredicate", prints: "TRUEPREDICATE"),
  .init("FALSEPREDICATE", prints: "FALSEPREDICATE"),
  .init("age IN %@", [18, 25, 30], prints: "age IN {18, 25, 30}"),
  .init("age BETWEEN %@", [18, 65], prints: "age BETWEEN {18, 65}"),
  .init("age IN %@", [Int](), prints: "age IN {}"),
  .init("day IN %@", [day], prints: "day IN {2001-01-02 00:00:00 +0000}"),
  .init(
    "day BETWEEN {%@, %@}", day, day,
    prints: "day BETWEEN {CAST(86400.000000, \"NSDate\"), CAST(86400.000000, \"NSDate\")}"),
  .init("firstName BEGINSWITH[d] %@", "Bó", prints: "firstName BEGINSWITH[d] \"Bó\""),
  .init("firstName BeginsWith[dc] 'bó'", prints: "firstName BEGINSWITH[cd] \"bó\""),
  .init("b CONTAINS[ldc] 'ABC'", prints: "b CONTAINS[cdl] \"ABC\""),
  .init("name BEGINSWITH %@", "😂", prints: "name BEGINSWITH \"😂\""),
  .init("name ENDSWITH 'hn'", prints: "name ENDSWITH \"hn\""),
  .init("NOT property MATCHES '.*'", prints: "NOT property MATCHES \".*\""),
  .init("score == 20.0", prints: "score == 20"),
  .init("1 <= score AND score < 10.5", prints: "1 <= score AND score < 10.5"),
  .init(
    "(p == 'D' OR n BEGINSWITH 'J') AND s == 20",
    prints: "(p == \"D\" OR n BEGINSWITH \"J\") AND s == 20"),
  .init("(a == 1 OR b == 2) OR c == 3", prints: "a == 1 OR b == 2 OR c == 3"),
  .init("(1 == 1 AND 1 != 0) AND 1 != 2", prints: "1 == 1 AND 1 != 0 AND 1 != 2"),
  .init("a == 1 && b == 2 and c == 3", prints: "a == 1 AND b == 2 AND c == 3"),
  .init(
    "a == 1 || (name ==[c] 'n' && slug IN {'s', 'n'})",
    prints: "a == 1 OR (name ==[c] \"n\" AND slug IN {\"s\", \"n\"})"),
  .init(
    "SUBQUERY(r, $x, $x.k == '🍁' AND $x.f == 'all').@count > 0",
    prints: "SUBQUERY(r, $x, $x.k == \"🍁\" AND $x.f == \"all\").@count > 0"),
  .init("ANY r.keyword == %@", "", prints: "ANY r.keyword == \"\""),
  .init("SOME r.keyword == 1", prints: "ANY r.keyword == 1"),
  .init("ALL age == 21", prints: "ALL age == 21"),
  .init("NONE a.b == 1", prints: "NOT ANY a.b == 1"),
  .init(
    "((NOT l == 'S') OR f == 'C') AND age > 30",
    prints: "((NOT l == \"S\") OR f == \"C\") AND age > 30"),
  .init("! (isReal == 0 OR name == 'T')", prints: "NOT (isReal == 0 OR name == \"T\")"),
  .init(
    "(NOT V == 'T1') AND NOT (V == 'T2' OR V == 'T3') AND V == 'T4'",
    prints: "(NOT V == \"T1\") AND (NOT (V == \"T2\" OR V == \"T3\")) AND V == \"T4\""),
  .init(
    "NOT SUBQUERY(p, $q, $q.n LIKE[cd] 'k' AND $q.o >= 123.4).@count > 0",
    prints: "NOT SUBQUERY(p, $q, $q.n LIKE[cd] \"k\" AND $q.o >= 123.4).@count > 0"),
  .init("%K == %@", "self", "bob", prints: "SELF == \"bob\""),
  .init("%K == %@", "SELF", nil, prints: "SELF == nil"),
  .init("identifier == %@", "Lowe's", prints: "identifier == \"Lowe's\""),
  .init("identifier == %@", "Can't Do i\t", prints: "identifier == \"Can't Do i\t\""),
  .init(
    "SUBQUERY(tags, $e, NOT $e.score > 80).@count == 0",
    prints: "SUBQUERY(tags, $e, NOT $e.score > 80).@count == 0"),
  .init(
    "13.39657778010461 <= longitude AND SUBQUERY(s, $x, %@ <= $x.t).@count != 0",
    Date(timeIntervalSinceReferenceDate: -978_250_148),
    prints: "13.39657778010461 <= longitude AND "
      + "SUBQUERY(s, $x, CAST(-978250148.000000, \"NSDate\") <= $x.t).@count != 0"),
  .init("r.length <= 0 OR r & 2 == 2", prints: "r.length <= 0 OR r & 2 == 2"),
  .init("UUID == %@", uuid, prints: "UUID == E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
  .init("modality CONTAINS nil", prints: "modality CONTAINS nil"),
  .init("TotalTime / 1000.0 > 1", prints: "TotalTime / 1000 > 1"),
  .init(
    "lowercase:(firstName) == lowercase($PREFIX)",
    prints: "lowercase:(firstName) == lowercase:($PREFIX)"),
  .init("x < now()", prints: "x < now()"),
  .init("x IN {$TAG, lowercase:($PREFIX)}", prints: "x IN {$TAG, lowercase:($PREFIX)}"),
  .init("a + b * 2 == 1", prints: "a + (b * 2) == 1"),
  .init("(a + b) * 2 == 1", prints: "(a + b) * 2 == 1"),
  .init("#size == 1 AND a.first == 2", prints: "#size == 1 AND a.#first == 2"),
  .init("path == %@", "a\\b", prints: "path == \"a\\\\b\""),
  .init("TERNARY(a == 1, b, nil) != nil", prints: "TERNARY(a == 1, b, nil) != nil"),
  .init("(SELF.g)[0] == 2", prints: "(SELF.g)[0] == 2"),
  .init("CAST(a, 'NSDate') < now()", prints: "CAST(a, \"NSDate\") < now()"),
  .init("self isKindOfClass: $c", prints: "SELF isKindOfClass: $c"),
]

@Suite struct PrintingTests {
  @Test(arguments: pairs) func printsAsApple(_ pair: PrintedPair) throws {
    let predicate = try PredicateParser.parse(format: pair.format, arguments: pair.arguments)
    #expect(predicate.printedFormat == pair.text)
  }

  @Test func expressionsPrintAsApple() {
    #expect(NSExpression(format: "%@ + %@", 1, 1).description == "1 + 1")
    #expect(NSExpression(format: "%@ + %@", "1", "1").description == "\"1\" + \"1\"")
    let (a, b) = (NSExpression(forKeyPath: "a"), NSExpression(forKeyPath: "b"))
    #expect(NSExpression(forFunction: "add:to:", arguments: [a, b]).description == "a + b")
    #expect(NSExpression(forFunction: "raise:toPower:", arguments: [a, b]).description == "a ** b")
  }

  @Test func compoundsOfOneAndOfNonePrintAsApple() {
    let one = CompoundPredicate(andPredicateWithSubpredicates: [NSPredicate(format: "a == 1")])
    let other = CompoundPredicate(andPredicateWithSubpredicates: [NSPredicate(format: "b == 2")])
    let both = CompoundPredicate(andPredicateWithSubpredicates: [one, other])
    #expect(one.predicateFormat == "a == 1")
    #expect(both.predicateFormat == "(a == 1) AND (b == 2)")
    #expect(CompoundPredicate(notPredicateWithSubpredicate: one).predicateFormat == "NOT (a == 1)")
    let (and, or) = (
      CompoundPredicate(type: .and, subpredicates: []),
      CompoundPredicate(type: .or, subpredicates: [])
    )
    #expect(and.predicateFormat == "TRUEPREDICATE")
    #expect(or.predicateFormat == "FALSEPREDICATE")
  }

  @Test func substitutedVariablesPrintAsConstants() {
    let single = NSPredicate(format: "$a == 1").withSubstitutionVariables(["a": "a"])
    #expect(single.printedFormat == "\"a\" == 1")
    let sum = NSPredicate(format: "%K like %@+$b+$c", "$single", "b\"")
      .withSubstitutionVariables(["b": "val_for_$b", "c": "val_for_$c"])
    #expect(sum.printedFormat == "$single LIKE (\"b\\\"\" + \"val_for_$b\") + \"val_for_$c\"")
  }
}
