import Foundation

@testable import CoreDataSamples

/// Expressions: numbers, texts, dates, each with what may stand in it.
extension PredicateGenerator {
  mutating func integerKey() -> String {
    pick(["small", "medium", "flag", "parent.small", "parent.medium", "parent.parent.small"])
  }

  mutating func integer(depth: Int = 1) -> String {
    guard depth > 0 else { return chance(3) ? "\(pick(PlainThings.numbers))" : integerKey() }
    let (a, b) = (integer(depth: depth - 1), integer(depth: depth - 1))
    return pick([
      a, a, b, "\(a) & \(b)", "\(a) | \(b)", "\(a) ^ \(b)", "(\(a)) << \(pick([0, 1, 3]))",
      "(\(a)) >> 1", "onesComplement:(\(a))", "abs:(\(a))", "length:(\(textKey()))",
      "children.@count", "tags.@count", "steps.@count", "parent.children.@count", "steps[SIZE]",
      "children.@sum.medium", "children.@max.small", "children.@min.medium",
      "parent.children.@max.medium", "count:(children)", "sum:(children.small)",
      "SUBQUERY(children, $c, $c.small \(order()) \(a)).@count",
      "SUBQUERY(tags, $t, $t.name CONTAINS[c] \(Self.quoted(word()))).@count",
      "SUBQUERY(children, $c, SUBQUERY($c.tags, $t, $t.weight > 0).@count > 0).@count",
      "SUBQUERY(children, $c, $c.text == SELF.text OR $c.parent.small == small).@count",
      "TERNARY(small > 1, \(a), \(b))", "noindex:(\(a))",
    ])
  }

  mutating func number(depth: Int = 2) -> String {
    guard depth > 0 else {
      return pick([
        "small", "medium", "large", "flag", "double", "float", "decimal", "parent.double",
        "parent.decimal", "\(pick(PlainThings.reals))", "\(pick(PlainThings.numbers))", "rating",
      ]).replacingOccurrences(of: "rating", with: "small")
    }
    let (a, b) = (number(depth: depth - 1), number(depth: depth - 1))
    return pick([
      a, a, b, integer(), integer(), "(\(a)) + \(b)", "(\(a)) - \(b)", "(\(a)) * \(b)",
      "(\(a)) / (\(b))", "(\(integer())) / (\(integer()))", "modulus:by:(\(a), \(b))",
      "abs:(\(a))", "floor:(\(a))", "ceiling:(\(a))", "trunc:(\(a))", "sqrt:(abs:(\(a)))",
      "(\(integer(depth: 0))) ** 2", "double ** \(pick([0, 1, 2, -1]))", "-(\(a))",
      "tags.@avg.weight", "tags.@sum.weight", "parent.tags.@max.weight", "average:(tags.weight)",
      "TERNARY(\(textKey()) == nil, \(a), \(b))", "CAST(date, 'NSNumber')", "max:(\(a), \(b))",
      "CAST(\(a), 'NSDecimalNumber') + \(b)", "exp:(double / 1e10)", "ln:(abs:(\(a)) + 1)",
    ])
  }

  mutating func textKey() -> String { pick(["text", "text", "other", "parent.text"]) }

  mutating func text(depth: Int = 1) -> String {
    guard depth > 0 else { return chance(3) ? Self.quoted(word()) : textKey() }
    return pick([
      textKey(), textKey(), textKey(), Self.quoted(word()), "uppercase:(\(textKey()))",
      "lowercase:(\(textKey()))", "canonical:(\(textKey()))", "children.@max.text",
      "TERNARY(flag == YES, \(textKey()), \(text(depth: 0)))", "CAST(small, 'NSString')",
    ])
  }

  mutating func date() -> String {
    pick([
      "date", "date", "parent.date", "CAST(double, 'NSDate')", "children.@min.date",
      "CAST(CAST(date, 'NSNumber') + small, 'NSDate')",
    ])
  }
}
