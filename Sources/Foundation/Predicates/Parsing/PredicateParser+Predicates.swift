import Foundation

/// OR, AND, NOT and comparisons, in the order of increasing precedence.
extension PredicateParser {
  /// Parses a predicate or an expression of any kind.
  mutating func operand() throws(PredicateFormatError) -> Operand {
    try chain(.or) { (parser) throws(PredicateFormatError) in
      try parser.conjunction()
    }
  }

  private mutating func conjunction() throws(PredicateFormatError) -> Operand {
    try chain(.and) { (parser) throws(PredicateFormatError) in
      try parser.negation()
    }
  }

  /// Parses parts joined by one connective into one flat compound. A first part in parentheses is
  /// merged, a later one stays nested. The result of Apple's parser for `a AND (b AND c)` is not
  /// known.
  private mutating func chain(
    _ connective: Token.Connective,
    part: (inout PredicateParser) throws(PredicateFormatError) -> Operand
  ) throws(PredicateFormatError) -> Operand {
    let first = try part(&self)
    var parts: [NSPredicate] = []
    let type = connective.type
    while token.connective == connective {
      if parts.isEmpty { parts = links(of: try predicate(first), in: type) }
      advance()
      let next = try part(&self)
      parts.append(try predicate(next))
    }
    if parts.isEmpty { return first }
    let compound = CompoundPredicate(type: type, subpredicates: parts)
    return Operand(meaning: .predicate(compound), position: first.position)
  }

  private func links(
    of predicate: NSPredicate, in type: NSCompoundPredicate.LogicalType
  ) -> [NSPredicate] {
    guard flattens, let compound = predicate as? CompoundPredicate,
      compound.compoundPredicateType == type
    else { return [predicate] }
    return compound.subpredicates
  }

  private mutating func negation() throws(PredicateFormatError) -> Operand {
    let position = token.position
    guard token.isNegation else { return try comparison() }
    advance()
    let negated = try nested { (parser) throws(PredicateFormatError) in
      let operand = try parser.negation()
      return try parser.predicate(operand)
    }
    let compound = CompoundPredicate(notPredicateWithSubpredicate: negated)
    return Operand(meaning: .predicate(compound), position: position)
  }

  private mutating func comparison() throws(PredicateFormatError) -> Operand {
    let position = token.position
    guard let quantifier = takeQuantifier() else { return try directComparison() }
    let left = try binary(above: 0)
    let modifier: NSComparisonPredicate.Modifier = quantifier == "ALL" ? .all : .any
    guard let compared = try comparison(of: left, modifier: modifier) else {
      throw error(
        "expected a comparison after \(quantifier), found \(token.name)", at: token.position)
    }
    let result =
      quantifier == "NONE" ? CompoundPredicate(notPredicateWithSubpredicate: compared) : compared
    return Operand(meaning: .predicate(result), position: position)
  }

  private mutating func takeQuantifier() -> String? {
    guard token.isQuantifier, let keyword = token.keyword else { return nil }
    advance()
    return keyword
  }

  /// Parses a comparison, or a single operand.
  private mutating func directComparison() throws(PredicateFormatError) -> Operand {
    let left = try binary(above: 0)
    guard let compared = try comparison(of: left, modifier: .direct) else { return left }
    return Operand(meaning: .predicate(compared), position: left.position)
  }

  /// Parses a comparison that begins with `left`; nil if no operator follows.
  private mutating func comparison(
    of left: Operand, modifier: NSComparisonPredicate.Modifier
  ) throws(PredicateFormatError) -> NSPredicate? {
    if let selector = try takeCustomSelector() {
      let right = try rightSide()
      return NSComparisonPredicate(
        leftExpression: try expression(left), rightExpression: right, customSelectorName: selector)
    }
    guard let type = try takeOperator() else { return nil }
    let options = try takeOptions()
    return NSComparisonPredicate(
      leftExpression: try expression(left), rightExpression: try rightSide(),
      modifier: modifier, type: type, options: options)
  }

  private mutating func rightSide() throws(PredicateFormatError) -> NSExpression {
    let operand = try binary(above: 0)
    return try expression(operand)
  }

  private mutating func takeOperator() throws(PredicateFormatError)
    -> NSComparisonPredicate.Operator?
  {
    guard let type = token.comparison else {
      guard let word = token.keyword, word.hasPrefix("UTI-") else { return nil }
      throw error(
        "\(word) is not supported: there are no type identifiers here", at: token.position)
    }
    advance()
    return type
  }

  /// Parses a selector between two expressions: `SELF isKindOfClass: %@`.
  private mutating func takeCustomSelector() throws(PredicateFormatError) -> String? {
    guard case .word(let word) = token.kind, nextToken.isSymbol(":") else { return nil }
    advance()
    advance()
    return word + ":"
  }

  /// Parses the letters in brackets after an operator.
  private mutating func takeOptions() throws(PredicateFormatError) -> NSComparisonPredicate.Options
  {
    guard take("[") else { return [] }
    let options = try options(token)
    advance()
    try expect("]", purpose: "after the options")
    return options
  }

  private func options(
    _ token: Token
  ) throws(PredicateFormatError) -> NSComparisonPredicate.Options {
    if let options = token.options { return options }
    guard case .word(let letters) = token.kind else {
      throw error("expected options like [cd], found \(token.name)", at: token.position)
    }
    do { return try ComparisonSpelling.options(of: letters) } catch {
      throw self.error(
        "\"\(error.letter)\" is none of the options c, d, n and l", at: token.position)
    }
  }
}
