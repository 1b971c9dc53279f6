import Foundation

/// The constructs in the form of functions: SUBQUERY, CAST, TERNARY, FUNCTION, FETCH.
extension PredicateParser {
  /// The raw value is the word before the parenthesis.
  enum Construct: String {
    case subquery = "SUBQUERY"
    case cast = "CAST"
    case conditional = "TERNARY"
    case message = "FUNCTION"
    case fetch = "FETCH"
  }

  /// Parses a construct after its opening parenthesis.
  mutating func parse(
    _ construct: Construct, from position: Int
  ) throws(PredicateFormatError) -> NSExpression {
    switch construct {
    case .subquery: try subquery(position)
    case .cast: try cast(position)
    case .conditional: try conditional(position)
    case .message: try message(position)
    case .fetch: try fetch(position)
    }
  }

  private mutating func comma(_ construct: String) throws(PredicateFormatError) {
    try expect(",", purpose: "between the parts of \(construct)")
  }

  private mutating func part() throws(PredicateFormatError) -> NSExpression {
    try wholeExpression()
  }

  private mutating func subquery(_ position: Int) throws(PredicateFormatError) -> NSExpression {
    let collection = try part()
    try comma("SUBQUERY")
    guard case .variable(let variable) = token.kind else {
      throw error(
        "expected a variable like $x as the second part of SUBQUERY, found \(token.name)",
        at: token.position)
    }
    advance()
    try comma("SUBQUERY")
    let predicate = try wholePredicate()
    try expect(")", purpose: "after SUBQUERY")
    return try make(.subquery(of: collection, variable: variable, predicate), at: position)
  }

  private mutating func conditional(_ position: Int) throws(PredicateFormatError) -> NSExpression {
    let predicate = try wholePredicate()
    try comma("TERNARY")
    let first = try part()
    try comma("TERNARY")
    let second = try part()
    try expect(")", purpose: "after TERNARY")
    return try make(.conditional(predicate, first, second), at: position)
  }

  private mutating func cast(_ position: Int) throws(PredicateFormatError) -> NSExpression {
    let operand = try part()
    try comma("CAST")
    let place = token
    guard case .constant(let value) = try part().content, let type = value as? String else {
      throw error(
        "expected a type in quotes as the second part of CAST, found \(place.name)",
        at: place.position)
    }
    try expect(")", purpose: "after CAST")
    return try dateLiteral(operand, type: type) ?? make(.cast(operand, type: type), at: position)
  }

  /// A number cast to a date, which is the printed form of a constant date; nil for other casts.
  private func dateLiteral(_ operand: NSExpression, type: String) -> NSExpression? {
    guard type == "NSDate", case .constant(let value) = operand.content,
      let seconds = value as? NSNumber
    else { return nil }
    let date = Date(timeIntervalSinceReferenceDate: seconds.doubleValue)
    return NSExpression(forConstantValue: date)
  }

  private mutating func message(_ position: Int) throws(PredicateFormatError) -> NSExpression {
    let receiver = try part()
    try comma("FUNCTION")
    guard case .string(let selector) = token.kind else {
      throw error(
        "expected a selector in quotes as the second part of FUNCTION, found \(token.name)",
        at: token.position)
    }
    advance()
    let arguments = try messageArguments()
    return try make(.message(to: receiver, selector: selector, arguments), at: position)
  }

  private mutating func messageArguments() throws(PredicateFormatError) -> [NSExpression] {
    var arguments: [NSExpression] = []
    while take(",") { arguments.append(try part()) }
    try expect(")", purpose: "or \",\" after a part of FUNCTION")
    return arguments
  }

  private mutating func fetch(_ position: Int) throws(PredicateFormatError) -> NSExpression {
    let request = try part()
    try comma("FETCH")
    let context = try part()
    try comma("FETCH")
    let countOnly = try part()
    try expect(")", purpose: "after FETCH")
    return try make(
      .fetch(request: request, context: context, countOnly: countOnly), at: position)
  }
}
