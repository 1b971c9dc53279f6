import Foundation

/// Single operands: literals, names, arguments, parentheses.
extension PredicateParser {
  mutating func primary() throws(PredicateFormatError) -> Operand {
    let token = token
    if token.isSymbol("(") { return try parenthesised() }
    if let constant = token.constantPredicate {
      advance()
      let predicate = constant ? ConstantPredicate.true : ConstantPredicate.false
      return Operand(meaning: .predicate(predicate), position: token.position)
    }
    return Operand(meaning: .expression(try primaryExpression()), position: token.position)
  }

  private mutating func parenthesised() throws(PredicateFormatError) -> Operand {
    advance()
    let inner = try nested { (parser) throws(PredicateFormatError) in try parser.operand() }
    try expect(")", purpose: "after what the parenthesis holds")
    return inner
  }

  private mutating func primaryExpression() throws(PredicateFormatError) -> NSExpression {
    let token = token
    switch token.kind {
    case .word(let word): return try named(word)
    case .symbol("{"): return try aggregate()
    case .end, .symbol: throw missingExpression()
    case .argument(let conversion, let index):
      advance()
      return try arguments.expression(conversion, index: index, at: token.position)
    case .escapedWord, .collectionOperator, .variable, .integer, .double, .string: break
    }
    guard let leaf = token.leaf else { throw missingExpression() }
    advance()
    if case .variable = token.kind, self.token.isSymbol(":=") {
      throw error("assignment to a variable is not supported", at: self.token.position)
    }
    return leaf.expression
  }

  private func missingExpression() -> PredicateFormatError {
    error("expected an expression, found \(token.name)", at: token.position)
  }

  /// Parses a word: a literal, a construct with parentheses, a function or the first key of a path.
  private mutating func named(_ word: String) throws(PredicateFormatError) -> NSExpression {
    let position = token.position
    let token = token
    if token.literal != nil, let leaf = token.leaf {
      advance()
      return leaf.expression
    }
    if nextToken.isSymbol("("), let construct = token.construct {
      advance()
      advance()
      return try nested { (parser) throws(PredicateFormatError) in
        try parser.parse(construct, from: position)
      }
    }
    if nextToken.isSymbol("(") || nextToken.isSymbol(":") { return try functionCall() }
    if token.isReserved { throw reserved(word) }
    guard let leaf = token.leaf else { throw missingExpression() }
    advance()
    return leaf.expression
  }

  private func reserved(_ word: String) -> PredicateFormatError {
    error(
      "expected an expression, found the word \(word) of the language (a key of that name is written"
        + " #\(word))", at: token.position)
  }

  private mutating func aggregate() throws(PredicateFormatError) -> NSExpression {
    let position = token.position
    advance()
    let elements = try list(closedBy: "}")
    return try make(.aggregate(elements), at: position)
  }

  /// Parses expressions separated by commas, up to the closing symbol.
  mutating func list(closedBy symbol: Symbol) throws(PredicateFormatError) -> [NSExpression] {
    if take(symbol) { return [] }
    var elements: [NSExpression] = []
    repeat {
      elements.append(
        try nested { (parser) throws(PredicateFormatError) in
          try parser.wholeExpression()
        })
    } while take(",")
    try expect(symbol, purpose: "or \",\" after an element")
    return elements
  }

  /// Parses `name(arguments)` or `name:with:(arguments)`.
  private mutating func functionCall() throws(PredicateFormatError) -> NSExpression {
    let position = token.position
    let name = try functionName()
    try expect("(", purpose: "before the arguments of \(name)")
    let arguments = try list(closedBy: ")")
    guard let function = PredicateFunction.named(name, argumentCount: arguments.count) else {
      throw error("there is no function \(name)", at: position)
    }
    return try make(function.content(arguments), at: position)
  }

  private mutating func functionName() throws(PredicateFormatError) -> String {
    var name = ""
    while case .word(let word) = token.kind {
      advance()
      name += word
      guard take(":") else { return name }
      name += ":"
    }
    return name
  }
}

/// The predicates that always or never hold. One instance each, since Foundation hashes them by
/// identity.
enum ConstantPredicate {
  // Sound to share between threads: a predicate made by init(value:) never changes.
  nonisolated(unsafe) static let `true` = NSPredicate(value: true)
  nonisolated(unsafe) static let `false` = NSPredicate(value: false)
}
