import Foundation

/// Parses predicate formats (Apple's "Predicate Format String Syntax") in one pass, without
/// backtracking. Parentheses may contain a predicate or an expression; which one is required is
/// checked at the point of use.
public struct PredicateParser {
  /// The maximum nesting of parentheses, functions and NOT; bounds the stack.
  static let nestingLimit = 400
  /// The maximum depth of the resulting tree: a chain of `+` is one level per operator.
  static let depthLimit = 2_000

  let format: String
  let tokens: [Token]
  let arguments: FormatArguments
  var index = 0
  /// Whether `(a AND b) AND c` becomes one compound of three, as in Apple's parser. False for
  /// archives, which restore the original structure.
  let flattens: Bool
  private var nesting = 0

  init(
    format: String, arguments: [Any?], flattens: Bool = true
  ) throws(PredicateFormatError) {
    self.format = format
    self.flattens = flattens
    self.arguments = FormatArguments(format: format, values: arguments)
    tokens = try KnownFormats.tokens(of: format)
  }

  /// Parses a predicate.
  ///
  /// - Parameters:
  ///   - format: the format, with `%@` for an object, `%K` for a key path, `%d`, `%f` and the like
  ///     for numbers.
  ///   - arguments: one value for each of these.
  /// - Throws: ``PredicateFormatError`` with the position and the reason.
  public static func parse(
    format: String, arguments: [Any?] = []
  ) throws(PredicateFormatError) -> NSPredicate {
    try parse(format: format, arguments: arguments, flattens: true)
  }

  /// Parses a predicate. If `flattens` is false, nested compounds stay nested, as they were
  /// printed.
  package static func parse(
    format: String, arguments: [Any?], flattens: Bool
  ) throws(PredicateFormatError) -> NSPredicate {
    var parser = try PredicateParser(format: format, arguments: arguments, flattens: flattens)
    let predicate = try parser.wholePredicate()
    try parser.expectEnd()
    return predicate
  }

  /// Parses an expression. Throws ``PredicateFormatError`` with the position and the reason.
  public static func parse(
    expressionFormat format: String, arguments: [Any?] = []
  ) throws(PredicateFormatError) -> NSExpression {
    try parse(expressionFormat: format, arguments: arguments, flattens: true)
  }

  static func parse(
    expressionFormat format: String, arguments: [Any?], flattens: Bool
  ) throws(PredicateFormatError) -> NSExpression {
    var parser = try PredicateParser(format: format, arguments: arguments, flattens: flattens)
    let expression = try parser.wholeExpression()
    try parser.expectEnd()
    return expression
  }
}

/// A parsed part of a format, a predicate or an expression, and its position.
struct Operand {
  enum Meaning {
    case predicate(NSPredicate)
    case expression(NSExpression)
  }

  let meaning: Meaning
  let position: Int
}

extension PredicateParser {
  var token: Token { tokens[index] }

  var nextToken: Token { tokens[min(index + 1, tokens.count - 1)] }

  func error(_ reason: String, at position: Int) -> PredicateFormatError {
    PredicateFormatError(format: format, position: position, reason: reason)
  }

  mutating func advance() { index = min(index + 1, tokens.count - 1) }

  mutating func take(_ symbol: Symbol) -> Bool {
    guard token.isSymbol(symbol) else { return false }
    advance()
    return true
  }

  mutating func expect(
    _ symbol: Symbol, purpose: @autoclosure () -> String
  ) throws(PredicateFormatError) {
    if !take(symbol) {
      throw error("expected \"\(symbol)\" \(purpose()), found \(token.name)", at: token.position)
    }
  }

  private func expectEnd() throws(PredicateFormatError) {
    if token.kind != .end { throw unexpectedToken() }
  }

  private func unexpectedToken() -> PredicateFormatError {
    if token.keyword == "NOT", nextToken.keyword == "IN" {
      return error("there is no NOT IN: write NOT (a IN b)", at: token.position)
    }
    return error("expected an operator, found \(token.name)", at: token.position)
  }

  /// Runs `body` one nesting level deeper. Throws ``PredicateFormatError`` beyond the limit.
  mutating func nested<Result>(
    _ body: (inout PredicateParser) throws(PredicateFormatError) -> Result
  ) throws(PredicateFormatError) -> Result {
    guard nesting < Self.nestingLimit else {
      throw error("nested deeper than \(Self.nestingLimit) levels", at: token.position)
    }
    nesting += 1
    defer { nesting -= 1 }
    return try body(&self)
  }

  mutating func wholePredicate() throws(PredicateFormatError) -> NSPredicate {
    let operand = try operand()
    return try predicate(operand)
  }

  mutating func wholeExpression() throws(PredicateFormatError) -> NSExpression {
    let operand = try operand()
    return try expression(operand)
  }

  func predicate(_ operand: Operand) throws(PredicateFormatError) -> NSPredicate {
    switch operand.meaning {
    case .predicate(let predicate): return predicate
    case .expression:
      if token.endsOperand {
        throw error("expected a predicate, found an expression alone", at: operand.position)
      }
      throw unexpectedToken()
    }
  }

  func expression(_ operand: Operand) throws(PredicateFormatError) -> NSExpression {
    switch operand.meaning {
    case .expression(let expression): return expression
    case .predicate:
      throw error("expected an expression, found a predicate", at: operand.position)
    }
  }

  /// Makes an expression. Throws ``PredicateFormatError`` beyond the depth limit.
  func make(
    _ content: ExpressionContent, at position: Int
  ) throws(PredicateFormatError) -> NSExpression {
    let expression = NSExpression(content: content)
    if expression.depth > Self.depthLimit {
      throw error("nested deeper than \(Self.depthLimit) levels", at: position)
    }
    return expression
  }
}
