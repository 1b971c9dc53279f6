import Foundation

/// Prints expressions like Apple's `description`.
enum ExpressionPrinter {
  static func text(of expression: NSExpression) -> String {
    DeepStack.run(depth: expression.depth) {
      var text = FormatText()
      write(expression, to: &text)
      return text.format
    }
  }

  static func write(_ expression: NSExpression, to text: inout FormatText) {
    switch expression.content {
    case .constant(let value): text.append(constant: value)
    case .evaluatedObject: text += "SELF"
    case .variable(let name): text += "$\(name)"
    case .keyPath(let path, let operand): writeKeyPath(path, of: operand, to: &text)
    case .keyFromVariable(let operand, let key):
      writeNested(operand, to: &text)
      text += "."
      write(key, to: &text)
    case .function(let name, let arguments): writeFunction(name, arguments: arguments, to: &text)
    case .message(let receiver, let selector, let arguments):
      writeMessage(receiver, selector: selector, arguments: arguments, to: &text)
    case .element(let collection, let index):
      writeIndexed(collection, to: &text)
      writeCall("", arguments: [index], closing: "]", opening: "[", to: &text)
    case .symbol(let symbol): text += symbol.rawValue
    case .set(let operation, let left, let right):
      writeInfix(left, symbol: operation.rawValue, right: right, to: &text)
    case .subquery(let collection, let variable, let predicate):
      text += "SUBQUERY("
      write(collection, to: &text)
      text += ", $\(variable), "
      PredicatePrinter.write(predicate, to: &text)
      text += ")"
    case .aggregate(let elements):
      writeCall("", arguments: elements, closing: "}", opening: "{", to: &text)
    case .anyKey: text += "ANYKEY"
    case .block(_, let arguments): writeCall("BLOCK", arguments: arguments, to: &text)
    case .conditional(let predicate, let first, let second):
      text += "TERNARY("
      PredicatePrinter.write(predicate, to: &text)
      writeCall("", arguments: [first, second], opening: ", ", to: &text)
    case .cast(let operand, let type):
      text += "CAST("
      write(operand, to: &text)
      text += ", \(ConstantPrinter.text(of: type)))"
    case .fetch(let request, let context, let countOnly):
      writeCall("FETCH", arguments: [request, context, countOnly], to: &text)
    case .subclass: text += "<\(type(of: expression))>"
    }
  }

  /// Writes a name and a list with commas.
  private static func writeCall(
    _ name: String, arguments: [NSExpression], closing: String = ")", opening: String = "(",
    to text: inout FormatText
  ) {
    text += name + opening
    for (index, argument) in arguments.enumerated() {
      if index > 0 { text += ", " }
      write(argument, to: &text)
    }
    text += closing
  }

  private static func writeKeyPath(
    _ path: String, of operand: NSExpression?, to text: inout FormatText
  ) {
    if let operand {
      writeNested(operand, to: &text)
      text += "."
    }
    text.append(keyPath: path)
  }

  /// Writes `left + right` for arithmetic, `name:(arguments)` for other functions.
  private static func writeFunction(
    _ name: String, arguments: [NSExpression], to text: inout FormatText
  ) {
    guard arguments.count == 2, let symbol = InfixOperator.symbolsByFunction[name] else {
      return writeCall(name, arguments: arguments, to: &text)
    }
    writeInfix(arguments[0], symbol: symbol, right: arguments[1], to: &text)
  }

  private static func writeInfix(
    _ left: NSExpression, symbol: String, right: NSExpression, to text: inout FormatText
  ) {
    writeNested(left, to: &text)
    text += " \(symbol) "
    writeNested(right, to: &text)
  }

  /// Writes an operand. Arithmetic and set operations are put in parentheses inside each other and
  /// before a dot.
  private static func writeNested(_ expression: NSExpression, to text: inout FormatText) {
    write(expression, inParentheses: isInfix(expression), to: &text)
  }

  private static func write(
    _ expression: NSExpression, inParentheses: Bool, to text: inout FormatText
  ) {
    if inParentheses { text += "(" }
    write(expression, to: &text)
    if inParentheses { text += ")" }
  }

  private static func isInfix(_ expression: NSExpression) -> Bool {
    switch expression.content {
    case .function(let name, let arguments):
      arguments.count == 2 && InfixOperator.symbolsByFunction[name] != nil
    case .set: true
    default: false
    }
  }

  /// Writes the collection of an index. A path of several keys needs parentheses, since an index
  /// binds to the last key only.
  private static func writeIndexed(_ expression: NSExpression, to text: inout FormatText) {
    switch expression.content {
    case .keyPath(let path, let operand) where operand != nil || path.contains("."):
      write(expression, inParentheses: true, to: &text)
    default: writeNested(expression, to: &text)
    }
  }

  /// Writes a message. Apple prints a space before the comma after the selector if arguments
  /// follow.
  private static func writeMessage(
    _ receiver: NSExpression, selector: String, arguments: [NSExpression],
    to text: inout FormatText
  ) {
    text += "FUNCTION("
    write(receiver, to: &text)
    text += ", \(ConstantPrinter.text(of: selector))"
    if arguments.isEmpty {
      text += ")"
    } else {
      writeCall("", arguments: arguments, opening: " , ", to: &text)
    }
  }
}
