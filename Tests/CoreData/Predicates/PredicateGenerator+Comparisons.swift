import Foundation

@testable import CoreData
@testable import CoreDataSamples

extension PredicateGenerator {
  mutating func comparison() -> GeneratedPredicate {
    switch Int.random(in: 0..<16, using: &random) {
    case 0, 1, 2: plainComparison()
    case 3, 4, 5: numbers()
    case 6, 7, 8: texts()
    case 9, 10: toMany()
    case 11: dates()
    case 12: objects()
    case 13: otherValues()
    case 14: membership()
    default: missing()
    }
  }

  private func made(
    _ format: String, _ arguments: [GeneratedPredicate.Argument] = []
  ) -> GeneratedPredicate {
    GeneratedPredicate(format: format, arguments: arguments)
  }

  private mutating func numbers() -> GeneratedPredicate {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: made("\(number()) BETWEEN {\(number(depth: 1)), \(number(depth: 1))}")
    case 1:
      made("decimal \(order()) %@", [.value(NSDecimalNumber(decimal: pick(PlainThings.decimals)))])
    default: made("\(number()) \(order()) \(number())")
    }
  }

  private mutating func texts() -> GeneratedPredicate {
    let pattern = Self.quoted(word())
    return switch Int.random(in: 0..<7, using: &random) {
    case 0: made("\(text()) \(order())\(options()) \(text())")
    case 1:
      made(
        "\(text()) LIKE\(options()) \(Self.quoted(pick(["", "*", "?", "a*", "*b", "a?b", "é*", "*ß*", "st*E"])))"
      )
    case 2:
      made(
        "\(text()) MATCHES\(pick(["", "[c]", "[cd]"])) \(Self.quoted(pick(["a.*", "ab?", ".*[éß].*", "A|b", "a{1,2}.*", "(i|I)", "st.*"])))"
      )
    case 3: made("\(text()) BETWEEN\(options()) {\(text(depth: 0)), \(text(depth: 0))}")
    case 4:
      made("\(pattern) \(pick(["CONTAINS", "BEGINSWITH", "IN", "=="]))\(options()) \(textKey())")
    default:
      made(
        "\(text()) \(pick(["CONTAINS", "BEGINSWITH", "ENDSWITH", "=="]))\(options()) \(chance(4) ? text() : pattern)"
      )
    }
  }

  private mutating func toMany() -> GeneratedPredicate {
    let quantifier = pick(["ANY", "SOME", "ALL", "NONE"])
    let (name, count) = (Self.quoted(word()), "\(pick(PlainThings.numbers))")
    return switch Int.random(in: 0..<9, using: &random) {
    case 0: made("\(quantifier) tags.name \(order())\(options()) \(name)")
    case 1: made("\(quantifier) children.small \(order()) \(integer())")
    case 2: made("\(quantifier) steps.name IN {\(name), 'a', 'b'}")
    case 3: made("\(quantifier) children.tags.name == \(textKey())")
    case 4: made("\(quantifier) parent.tags.weight BETWEEN {0, \(count)}")
    case 5: made("tags.name CONTAINS\(options()) \(chance(2) ? name : textKey())")
    case 6: made("\(textKey()) IN parent.steps.name")
    case 7: made("\(quantifier) {1, 2, small} == \(count)")
    default:
      made("\(quantifier) children.\(pick(["text", "parent", "date"])) \(pick(["==", "!="])) nil")
    }
  }

  private mutating func dates() -> GeneratedPredicate {
    let (first, second) = (pick(PlainThings.dates), pick(PlainThings.dates))
    return switch Int.random(in: 0..<3, using: &random) {
    case 0: made("\(date()) BETWEEN {%@, %@}", [.value(first), .value(second)])
    case 1: made("\(date()) \(order()) \(date())")
    default: made("\(date()) \(order()) %@", [.value(first)])
    }
  }

  private mutating func objects() -> GeneratedPredicate {
    let (thing, tag) = (
      Int.random(in: 0..<thingCount, using: &random), Int.random(in: 0..<tagCount, using: &random)
    )
    let several = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      Int.random(in: 0..<thingCount, using: &random)
    }
    let equality = pick(["==", "!="])
    return switch Int.random(in: 0..<9, using: &random) {
    case 0: made("\(pick(["parent", "parent.parent", "SELF"])) \(equality) %@", [.thing(thing)])
    case 1: made("\(pick(["parent", "SELF"])) IN %@", [.things(several)])
    case 2: made("children CONTAINS %@", [.thing(thing)])
    case 3: made("\(pick(["ANY", "ALL", "NONE"])) tags == %@", [.tag(tag)])
    case 4: made("%@ IN parent.tags", [.tag(tag)])
    case 5: made("SELF IN parent.children")
    case 6: made("SUBQUERY(tags, $t, $t IN %@.tags).@count > 0", [.thing(thing)])
    case 7: made("ANY children IN %@", [.things(several)])
    default: made("parent \(equality) parent.parent")
    }
  }

  private mutating func otherValues() -> GeneratedPredicate {
    let equality = pick(["==", "!=", "=="])
    return switch Int.random(in: 0..<7, using: &random) {
    case 0: made("uuid \(equality) %@", [.value(pick(PlainThings.uuids))])
    case 1: made("link \(equality) %@", [.value(pick(PlainThings.links))])
    case 2: made("data \(order()) %@", [.value(pick(PlainThings.data))])
    case 3: made("uuid IN %@", [.value(Array(PlainThings.uuids.prefix(pick([0, 1, 2]))))])
    case 4: made("link CONTAINS[c] 'EXAMPLE'")
    case 5:
      made(
        "\(pick(["text", "small", "date", "uuid"])) \(equality) \(pick(["1", "'a'", "parent", "link"]))"
      )
    default: made(pick(["TRUEPREDICATE", "FALSEPREDICATE", "1 < 2", "text IN {}"]))
    }
  }

  private mutating func membership() -> GeneratedPredicate {
    let many = (0..<100).map { "\($0 % 5)" } + [word()]
    return switch Int.random(in: 0..<7, using: &random) {
    case 0: made("small IN {1, 2.5, \(number())}")
    case 1: made("\(text()) IN\(options()) {\(Self.quoted(word())), \(text(depth: 0))}")
    case 2: made("text IN\(pick(["", "[c]", "[cd]"])) %@", [.value(many)])
    case 3: made("double IN %@", [.value((0..<80).map { Double($0) / 8 })])
    case 4: made("%@ CONTAINS small", [.value([1, 2, 3])])
    case 5: made("data IN %@", [.value((0..<70).map { Data([UInt8($0)]) })])
    default:
      made(
        "decimal IN %@",
        [.value(PlainThings.decimals.prefix(3).map { NSDecimalNumber(decimal: $0) })])
    }
  }

  private mutating func missing() -> GeneratedPredicate {
    made(
      "\(pick(["text", "small", "double", "decimal", "date", "data", "uuid", "link", "parent", "parent.text", "parent.parent.flag"])) \(pick(["==", "!="])) nil"
    )
  }
}
