import TestSupport

/// Writes formats at random that are right: every construct, alias and spelling of the language.
struct FormatGrammar {
  var generator: SplitMix64

  mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &generator)]
  }

  private mutating func pick(_ words: String) -> String {
    String(pick(words.split(separator: " ")))
  }

  /// A word of the language in any case.
  private mutating func word(_ word: String) -> String {
    pick([word, word, word.lowercased(), word.capitalized])
  }

  mutating func predicate(depth: Int) -> String {
    guard depth > 0 else { return comparison(depth: 0) }
    switch Int.random(in: 0...9, using: &generator) {
    case 0: return "(\(predicate(depth: depth - 1)))"
    case 1: return "\(word("NOT")) (\(predicate(depth: depth - 1)))"
    case 2: return "!\(comparison(depth: depth - 1))"
    case 3, 4: return chain([" && ", " " + word("AND") + " "], depth)
    case 5, 6: return chain([" || ", " " + word("OR") + " "], depth)
    case 7: return pick([word("TRUEPREDICATE"), word("FALSEPREDICATE")])
    default: return comparison(depth: depth - 1)
    }
  }

  private mutating func chain(_ connectives: [String], _ depth: Int) -> String {
    let parts = (0..<Int.random(in: 2...4, using: &generator)).map { _ in
      comparison(depth: depth - 1)
    }
    return parts.joined(separator: pick(connectives))
  }

  private mutating func comparison(depth: Int) -> String {
    let quantifier = pick(["", "", "", "", "ANY ", "SOME ", "ALL ", "NONE "])
    let sides = (expression(depth: depth), expression(depth: depth))
    return "\(word(quantifier))\(sides.0) \(comparisonOperator()) \(sides.1)"
  }

  private mutating func comparisonOperator() -> String {
    let name = pick(
      "= == != <> < > <= =< >= => IN CONTAINS BEGINSWITH ENDSWITH LIKE MATCHES BETWEEN")
    return word(name) + pick(["", "", "[c]", "[cd]", "[d]", "[n]", "[l]", "[cdl]", "[CD]"])
  }

  private mutating func expression(depth: Int) -> String {
    guard depth > 0 else { return leaf() }
    switch Int.random(in: 0...13, using: &generator) {
    case 0, 1: return arithmetic(depth)
    case 2: return "(\(expression(depth: depth - 1)))"
    case 3: return "{\(expression(depth: depth - 1)), \(leaf())}"
    case 4: return "\(path())[\(pick([word("FIRST"), word("LAST"), word("SIZE"), "0", "$i"]))]"
    case 5: return call(depth)
    case 6: return "\(word("CAST"))(\(expression(depth: depth - 1)), 'NSNumber')"
    case 7: return "\(word("TERNARY"))(\(predicate(depth: depth - 1)), \(leaf()), \(leaf()))"
    case 8:
      return "\(word("SUBQUERY"))(\(path()), $x, \(predicate(depth: depth - 1)))"
        + pick([".@count", ""])
    case 9: return "(\(path()) \(word(pick("UNION INTERSECT MINUS"))) \(path()))"
    case 10: return "\(word("FUNCTION"))(\(path()), 'name:', \(expression(depth: depth - 1)))"
    case 11: return "\(word("FETCH"))($request, $context, \(pick("YES NO")))"
    default: return leaf()
    }
  }

  private mutating func arithmetic(_ depth: Int) -> String {
    let symbol = pick("+ - * / ** & | ^ << >>")
    return "\(expression(depth: depth - 1)) \(symbol) \(expression(depth: depth - 1))"
  }

  private mutating func call(_ depth: Int) -> String {
    switch Int.random(in: 0...3, using: &generator) {
    case 0: return pick("now() random()")
    case 1: return "modulus:by:(\(expression(depth: depth - 1)), \(leaf()))"
    case 2: return "distanceToLocation:fromLocation:($here, \(path()))"
    default:
      let name = pick("sum count min max average median abs: uppercase lowercase: sqrt ln floor:")
      return "\(name)(\(expression(depth: depth - 1)))"
    }
  }

  private mutating func path() -> String {
    pick(
      "a b.c items.price SELF self.a $v.key #size a.#in @sum.items.price tags.@count g.@max.#self")
  }

  private mutating func leaf() -> String {
    switch Int.random(in: 0...5, using: &generator) {
    case 0, 1: return path()
    case 2: return pick("0 1 -3 42 2.5 9.2e-5 0x1F 0o17 0b101 9223372036854775807 -0.5")
    case 3:
      return pick([
        "'text'", "\"te'xt\"", "'q\\\"uote'", "'\\u00e9'", "'\\x41'", "'\\101'", "''", "'😂'",
        "'a\\\\*'",
      ])
    case 4: return pick("$v nil NULL TRUE yes False NO $_x1")
    default: return pick("%@ %K %d %f")
    }
  }
}
