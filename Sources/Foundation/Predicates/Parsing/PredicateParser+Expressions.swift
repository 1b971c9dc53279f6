import Foundation

/// Arithmetic, indexes and paths.
extension PredicateParser {
  /// Parses an expression of operators that bind tighter than `precedence`, or a single operand.
  mutating func binary(above precedence: Int) throws(PredicateFormatError) -> Operand {
    var left = try unary()
    while let next = infixOperator, next.precedence > precedence {
      let leftExpression = try expression(left)
      advance()
      let right = try nested { (parser) throws(PredicateFormatError) in
        let operand = try parser.binary(above: next.precedence)
        return try parser.expression(operand)
      }
      let combined = try make(next.content(leftExpression, right), at: left.position)
      left = Operand(meaning: .expression(combined), position: left.position)
    }
    return left
  }

  private struct Infix {
    let precedence: Int
    let content: (NSExpression, NSExpression) -> ExpressionContent
  }

  private var infixOperator: Infix? {
    if let found = token.infix {
      return Infix(precedence: found.precedence) { .function(found.function, [$0, $1]) }
    }
    guard let operation = token.setOperation else { return nil }
    return Infix(precedence: InfixOperator.setPrecedence) { .set(operation, $0, $1) }
  }

  /// Parses a unary minus: part of a following number, otherwise a subtraction from 0.
  private mutating func unary() throws(PredicateFormatError) -> Operand {
    let position = token.position
    guard take("-") else { return try postfix(of: try primary()) }
    if let number = takeNegativeNumber() {
      return try postfix(of: Operand(meaning: .expression(number), position: position))
    }
    let negated = try nested { (parser) throws(PredicateFormatError) in
      let operand = try parser.unary()
      return try parser.expression(operand)
    }
    let zero = NSExpression(forConstantValue: 0)
    return Operand(
      meaning: .expression(try make(.function("from:subtract:", [zero, negated]), at: position)),
      position: position)
  }

  private mutating func takeNegativeNumber() -> NSExpression? {
    let number: NSNumber
    switch token.kind {
    case .integer(let value): number = NSNumber(value: 0 &- value)
    // The magnitude of the least integer is not an integer.
    case .double(0x1p63): number = NSNumber(value: Int64.min)
    case .double(let value): number = NSNumber(value: -value)
    default: return nil
    }
    advance()
    return NSExpression(forConstantValue: number)
  }

  /// Parses a primary operand followed by any number of `.key` and `[index]`.
  private mutating func postfix(of base: Operand) throws(PredicateFormatError) -> Operand {
    let position = base.position
    var result = base
    while true {
      if take(".") {
        result = Operand(
          meaning: .expression(try member(of: try expression(result))), position: position)
      } else if take("[") {
        result = Operand(
          meaning: .expression(try element(of: try expression(result), position)),
          position: position)
      } else {
        return result
      }
    }
  }

  private mutating func member(
    of base: NSExpression
  ) throws(PredicateFormatError) -> NSExpression {
    let position = token.position
    if case .variable(let name) = token.kind {
      advance()
      return try make(
        .keyFromVariable(of: base, key: NSExpression(forVariable: name)), at: position)
    }
    let key = try takeKey()
    if case .keyPath(let path, let operand) = base.content {
      return try make(.keyPath("\(path).\(key)", of: operand), at: position)
    }
    return try make(.keyPath(key, of: base), at: position)
  }

  /// Parses a key after a dot; reserved words need no `#` there.
  private mutating func takeKey() throws(PredicateFormatError) -> String {
    let token = token
    switch token.kind {
    case .word(let name), .escapedWord(let name):
      advance()
      return name
    case .collectionOperator(let name):
      advance()
      return "@" + name
    case .argument(.keyPath, let index):
      advance()
      return try arguments.keyPath(index, at: token.position)
    default: throw error("expected a key after the dot, found \(token.name)", at: token.position)
    }
  }

  private mutating func element(
    of base: NSExpression, _ position: Int
  ) throws(PredicateFormatError) -> NSExpression {
    let index = try nested { (parser) throws(PredicateFormatError) in try parser.subscriptIndex() }
    try expect("]", purpose: "after the index")
    return try make(.element(of: base, at: index), at: position)
  }

  private mutating func subscriptIndex() throws(PredicateFormatError) -> NSExpression {
    if let keyword = token.keyword, let symbol = IndexSymbol(rawValue: keyword) {
      advance()
      return NSExpression(content: .symbol(symbol))
    }
    return try wholeExpression()
  }
}
