import Foundation
import Predicates
import Testing

/// The trees that formats parse to, through Apple's accessors.
@Suite struct StructureTests {
  private func comparison(_ format: String, _ arguments: Any?...) throws
    -> Predicates.NSComparisonPredicate
  {
    try #require(
      try PredicateParser.parse(format: format, arguments: arguments)
        as? Predicates.NSComparisonPredicate)
  }

  @Test func connectivesBindInTheirOrder() throws {
    let predicate = try PredicateParser.parse(format: "a == 1 or not b == 2 and c == 3")
    let or = try #require(predicate as? CompoundPredicate)
    #expect(or.compoundPredicateType == .or)
    let and = try #require(or.subpredicates[1] as? CompoundPredicate)
    #expect(and.compoundPredicateType == .and)
    #expect((and.subpredicates[0] as? CompoundPredicate)?.compoundPredicateType == .not)
  }

  @Test func oneConnectiveMakesOneCompound() throws {
    let predicate = try PredicateParser.parse(format: "a==1 AND b==2 && c==3 and d==4")
    #expect((predicate as? CompoundPredicate)?.subpredicates.count == 4)
  }

  @Test func aComparisonInParenthesesIsTheComparison() throws {
    #expect(try comparison("((a == 1))").predicateOperatorType == .equalTo)
  }

  @Test(arguments: [
    ("<", Predicates.NSComparisonPredicate.Operator.lessThan), ("<=", .lessThanOrEqualTo),
    ("=<", .lessThanOrEqualTo), (">", .greaterThan), (">=", .greaterThanOrEqualTo),
    ("=>", .greaterThanOrEqualTo), ("=", .equalTo), ("==", .equalTo), ("!=", .notEqualTo),
    ("<>", .notEqualTo), ("like", .like), ("Matches", .matches), ("BEGINSWITH", .beginsWith),
    ("endswith", .endsWith), ("in", .in), ("contains", .contains), ("between", .between),
  ])
  func operatorsHaveTheirAliases(
    _ spelling: String, _ type: Predicates.NSComparisonPredicate.Operator
  ) throws {
    let predicate = try comparison("a \(spelling)[cd] %@", "x")
    #expect(predicate.predicateOperatorType == type)
    #expect(predicate.options == [.caseInsensitive, .diacriticInsensitive])
  }

  @Test func quantifiersAreModifiers() throws {
    #expect(try comparison("ANY a.b == 1").comparisonPredicateModifier == .any)
    #expect(try comparison("SOME a.b == 1").comparisonPredicateModifier == .any)
    #expect(try comparison("ALL a.b == 1").comparisonPredicateModifier == .all)
    #expect(try comparison("a.b == 1").comparisonPredicateModifier == .direct)
  }

  @Test func expressionsTellTheirParts() throws {
    let predicate = try comparison("a.b + 1 == SUBQUERY(c, $x, $x.d == 2).@count")
    let sum = predicate.leftExpression
    #expect(sum.expressionType == .function)
    #expect(sum.function == "add:to:")
    #expect(sum.arguments?.first?.keyPath == "a.b")
    #expect(sum.arguments?.last?.constantValue as? Int == 1)
    let count = predicate.rightExpression
    #expect(count.expressionType == .keyPath)
    #expect(count.keyPath == "@count")
    let subquery = count.operand
    #expect(subquery.expressionType == .subquery)
    #expect(subquery.variable == "x")
    #expect((subquery.collection as? Predicates.NSExpression)?.keyPath == "c")
    #expect(subquery.predicate.printedFormat == "$x.d == 2")
  }

  @Test func literalsAreConstantsAndAggregates() throws {
    let predicate = try comparison("{1, 'two', nil} == %@", [1, 2])
    #expect(predicate.leftExpression.expressionType == .aggregate)
    #expect((predicate.leftExpression.collection as? [Predicates.NSExpression])?.count == 3)
    #expect(predicate.rightExpression.expressionType == .constantValue)
  }

  @Test func conditionalsAndSetsTellTheirParts() throws {
    let choice = try comparison("TERNARY(a == 1, 2, 3) == 2").leftExpression
    #expect(choice.expressionType == .conditional)
    #expect(choice.true.constantValue as? Int == 2 && choice.false.constantValue as? Int == 3)
    let set = try comparison("(a UNION b) == c").leftExpression
    #expect(set.expressionType == .unionSet && set.left.keyPath == "a" && set.right.keyPath == "b")
  }

  @Test func anExpressionArgumentIsUsedAsExpression() throws {
    let variable = Predicates.NSExpression(forVariable: "v")
    #expect(try comparison("%@ > 40", variable).leftExpression.expressionType == .variable)
  }

  @Test func keyPathArgumentsCompose() throws {
    #expect(try comparison("%K.@count == 0", "a.b").leftExpression.keyPath == "a.b.@count")
    #expect(try comparison("ANY %K.%K <= %lu", "a", "b", 3).leftExpression.keyPath == "a.b")
    #expect(try comparison("$v.%K == 1", "a").leftExpression.operand.variable == "v")
  }

  @Test func escapesStandForTheirCharacters() throws {
    let predicate = try comparison(#"a == '\x41\u00e9\101\uD83D\uDE02\'\"\\'"#)
    #expect(predicate.rightExpression.constantValue as? String == "AéA😂'\"\\")
  }

  /// As Apple's parser does.
  @Test func aChainInParenthesesAtTheStartIsContinued() throws {
    for (format, count) in [
      ("(a == 1 AND b == 2) AND c == 3", 3), ("((a == 1 AND b == 2) AND c == 3) AND d == 4", 4),
      ("(a == 1 OR b == 2) || c == 3", 3), ("a == 1 AND (b == 2 AND c == 3)", 2),
      ("(a == 1 OR b == 2) AND c == 3", 2), ("NOT (a == 1 AND b == 2) AND c == 3", 2),
    ] {
      let predicate = NSPredicate(format: format)
      #expect((predicate as? CompoundPredicate)?.subpredicates.count == count, "\(format)")
    }
    #expect(
      NSPredicate(format: "(a == 1 AND b == 2) AND c == 3").printedFormat
        == "a == 1 AND b == 2 AND c == 3")
  }
}
