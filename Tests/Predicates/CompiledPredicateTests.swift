import Foundation
import KeyValueCoding
import Predicates
import Testing

/// An object without key-value coding, whose slots a reader knows.
private final class Slots {
  let values: [TypedValue]

  init(_ values: TypedValue...) { self.values = values }

  static func reader(_ keyPath: String) -> ((AnyObject) -> TypedValue)? {
    guard let slot = ["title": 0, "order": 1][keyPath] else { return nil }
    return { ($0 as? Slots)?.values[slot] ?? .null }
  }
}

@Suite struct CompiledPredicateTests {
  @Test func readersReplaceKeyValueCoding() throws {
    let predicate = NSPredicate(format: "title BEGINSWITH[cd] %@ AND SELF.order > %d", "É", 3)
    let compiled = CompiledPredicate(predicate, reader: Slots.reader)
    #expect(try compiled.matches(Slots(.string("etude"), .integer(4))))
    #expect(try !compiled.matches(Slots(.string("etude"), .integer(3))))
    #expect(try !compiled.matches(Slots(.null, .integer(4))))
  }

  @Test func unreadKeysGoThroughKeyValueCoding() {
    let compiled = CompiledPredicate(NSPredicate(format: "other == 1"), reader: Slots.reader)
    #expect(throws: KeyValueCodingError.self) { _ = try compiled.matches(Slots(.null, .null)) }
  }

  @Test(arguments: [
    ("title != 'x'", true, false), ("title == 'x'", false, false),
    ("NOT title == 'x'", true, false),
    ("title == nil", true, true), ("title != nil", false, false), ("title LIKE '*'", false, false),
    ("NOT title LIKE '*'", true, false), ("title IN {'x'}", false, false),
    ("NOT (title IN {'x'})", true, false),
    ("title == 'x' OR order == 1", true, true), ("title != 'x' AND order == 1", true, false),
    ("title == title", true, false), ("NOT (title == 'x' AND order == 2)", true, true),
    ("NOT (title == 'x' AND order == 1)", true, false), ("ANY {nil, 1} == 1", true, true),
    ("title > 'x'", false, false), ("NOT title > 'x'", true, false),
  ])
  func nilFollowsTheRule(_ format: String, _ memory: Bool, _ sql: Bool) throws {
    let object = Slots(.null, .integer(1))
    let predicate = NSPredicate(format: format)
    #expect(
      try CompiledPredicate(predicate, nilRule: .memory, reader: Slots.reader).matches(object)
        == memory)
    #expect(
      try CompiledPredicate(predicate, nilRule: .sql, reader: Slots.reader).matches(object) == sql)
  }

  @Test(arguments: [
    "order + nothing > 0", "order / 0 == 1", "modulus:by:(order, 0) == 1",
    "order BETWEEN {nothing, 5}",
    "uppercase(nothing) == 'A'",
  ])
  func whatIsNullInSQLIsUnknownByItsRule(_ format: String) throws {
    let reader: KeyPathReader = { key in { _ in key == "order" ? .integer(1) : .null } }
    for text in [format, "NOT \(format)"] {
      let compiled = CompiledPredicate(NSPredicate(format: text), nilRule: .sql, reader: reader)
      #expect(try !compiled.matches(NSObject()))
    }
  }

  @Test func expressionsCompileToo() throws {
    let compiled = CompiledExpression(NSExpression(format: "order * 2"), reader: Slots.reader)
    #expect(try compiled.value(of: Slots(.null, .integer(4))) == .integer(8))
  }
}
