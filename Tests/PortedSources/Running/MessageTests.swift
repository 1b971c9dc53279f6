import CoreData
import Testing

@testable import Predicates

/// Methods that expressions and comparisons call by their selectors.
@Suite struct MessageTests {
  /// What an expression gives where `policy` is the policy of a mapping and the title is “Emma”.
  private func value(_ format: String, _ policy: NSEntityMigrationPolicy) -> Any? {
    let manager = NSMigrationManager(
      sourceModel: NSManagedObjectModel(), destinationModel: NSManagedObjectModel())
    return NSExpression(format: format).expressionValue(
      with: nil,
      context: [
        NSMigrationEntityPolicyKey: policy, NSMigrationManagerKey: manager, "title": "Emma",
      ])
  }

  @Test(arguments: [BookUpgrade.self, FineUpgrade.self])
  func aPolicyAnswersByItsMethods(_ type: BookUpgrade.Type) throws {
    let policy = type.init()
    #expect(
      value(#"FUNCTION($entityPolicy, "titleForOldTitle:manager:", $title, $manager)"#, policy)
        as? String == "Emma, 0")
    #expect(value(#"FUNCTION($entityPolicy, "longer:", $title)"#, policy) as? Bool == true)
  }

  @Test func aPolicyAnswersInItsOwnWayToo() throws {
    #expect(value(#"FUNCTION($entityPolicy, "price")"#, FineUpgrade()) as? Int == 5)
    #expect(value(#"FUNCTION($entityPolicy, "own:", $title)"#, FineUpgrade()) as? String == "Emma")
  }

  @Test func whatNobodyAnswersIsAnError() throws {
    #expect(throws: CocoaError.self) {
      try BookUpgrade().value(forSelector: "unknown:", arguments: [1])
    }
  }

  @Test func aComparisonMayHaveASelector() {
    func isAbove(_ left: Ranked, _ right: Ranked) -> Bool {
      NSComparisonPredicate(
        leftExpression: NSExpression(forConstantValue: left),
        rightExpression: NSExpression(forConstantValue: right), customSelectorName: "isAbove:"
      ).evaluate(with: nil)
    }
    #expect(isAbove(Ranked(2), Ranked(1)))
    #expect(!isAbove(Ranked(1), Ranked(2)))
  }
}
