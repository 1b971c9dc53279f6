import Foundation

/// Parses the language of predicate formats (Apple's "Predicate Format String Syntax") in one pass,
/// without backtracking: what stands in parentheses may be a predicate or an expression, and which
/// of both is checked where it is used.
public struct PredicateParser {
  /// How deep parentheses, functions and NOT may be nested, which bounds the stack.
  static let nestingLimit = 400
  /// How deep the resulting tree may be: a chain of `+` is one level per operator.
  static let depthLimit = 2_000

  let format: String
  let tokens: [Token]
  let arguments: FormatArguments
  var index = 0
  /// Whether `(a AND b) AND c` is one compound of three, as Apple's parser makes it. An archive keeps
  /// what it was made of.
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

  /// The predicate that a format says.
  ///
  /// - Parameters:
  ///   - format: the format, with `%@` for an object, `%K` for a key path, `%d`, `%f` and the like
  ///     for numbers.
  ///   - arguments: one value for each of these.
  /// - Throws: ``PredicateFormatError``, which says where and why; only that.
  public static func parse(
    format: String, arguments: [Any?] = []
  ) throws(PredicateFormatError) -> NSPredicate {
    try parse(format: format, arguments: arguments, flattens: true)
  }

  /// The same as it was printed, when `flattens` is false: no compound of a compound becomes one.
  package static func parse(
    format: String, arguments: [Any?], flattens: Bool
  ) throws(PredicateFormatError) -> NSPredicate {
    var parser = try PredicateParser(format: format, arguments: arguments, flattens: flattens)
    let predicate = try parser.wholePredicate()
    try parser.expectEnd()
    return predicate
  }

  /// The expression that a format says. Throws ``PredicateFormatError`` as the other does.
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

/// What a part of a format turned out to be, and where it began.
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
    _ symbol: Symbol, _ purpose: @autoclosure () -> String
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

  /// Runs `body` one level deeper, within the limit.
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

  /// Makes an expression, within the limit of depth.
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
