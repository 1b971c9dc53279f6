import Foundation
import KeyValueCoding

/// Prints expressions as Apple's `description` does.
enum ExpressionPrinter {
  static func text(of expression: NSExpression) -> String {
    switch expression.content {
    case .constant(let value): ConstantPrinter.text(of: value)
    case .evaluatedObject: "SELF"
    case .variable(let name): "$\(name)"
    case .keyPath(let path, nil): escaped(path)
    case .keyPath(let path, let operand?): "\(owner(operand)).\(escaped(path))"
    case .keyFromVariable(let operand, let key): "\(owner(operand)).\(text(of: key))"
    case .function(let name, let arguments): function(name, arguments)
    case .message(let receiver, let selector, let arguments):
      message(receiver, selector, arguments)
    case .element(let collection, let index): "\(indexed(collection))[\(text(of: index))]"
    case .symbol(let symbol): symbol.rawValue
    case .set(let operation, let left, let right):
      "\(nested(left)) \(operation.rawValue) \(nested(right))"
    case .subquery(let collection, let variable, let predicate):
      "SUBQUERY(\(text(of: collection)), $\(variable), \(PredicatePrinter.text(of: predicate)))"
    case .aggregate(let elements): "{\(list(elements))}"
    case .anyKey: "ANYKEY"
    case .block(_, let arguments): "BLOCK(\(list(arguments)))"
    case .conditional(let predicate, let first, let second):
      "TERNARY(\(PredicatePrinter.text(of: predicate)), \(text(of: first)), \(text(of: second)))"
    case .cast(let operand, let type):
      "CAST(\(text(of: operand)), \(ConstantPrinter.text(of: type)))"
    case .fetch(let request, let context, let countOnly):
      "FETCH(\(list([request, context, countOnly])))"
    case .subclass: "<\(type(of: expression))>"
    }
  }

  private static func list(_ expressions: [NSExpression]) -> String {
    expressions.map(text).joined(separator: ", ")
  }

  /// `left + right` for arithmetic, `name:(arguments)` for the rest.
  private static func function(_ name: String, _ arguments: [NSExpression]) -> String {
    guard arguments.count == 2, let symbol = InfixOperator.symbolsByFunction[name] else {
      return "\(name)(\(list(arguments)))"
    }
    return "\(nested(arguments[0])) \(symbol) \(nested(arguments[1]))"
  }

  /// Arithmetic and set operations are put in parentheses inside of each other.
  private static func nested(_ expression: NSExpression) -> String {
    isInfix(expression) ? "(\(text(of: expression)))" : text(of: expression)
  }

  private static func isInfix(_ expression: NSExpression) -> Bool {
    switch expression.content {
    case .function(let name, let arguments):
      arguments.count == 2 && InfixOperator.symbolsByFunction[name] != nil
    case .set: true
    default: false
    }
  }

  /// What stands before a dot.
  private static func owner(_ expression: NSExpression) -> String {
    nested(expression)
  }

  /// A path of more than one key takes parentheses before an index, which binds to the last key
  /// alone.
  private static func indexed(_ expression: NSExpression) -> String {
    switch expression.content {
    case .keyPath(let path, let operand) where operand != nil || path.contains("."):
      "(\(text(of: expression)))"
    default: nested(expression)
    }
  }

  /// Apple prints a space before the comma after the selector when arguments follow.
  private static func message(
    _ receiver: NSExpression, _ selector: String, _ arguments: [NSExpression]
  ) -> String {
    let head = "FUNCTION(\(text(of: receiver)), \(ConstantPrinter.text(of: selector))"
    return arguments.isEmpty ? head + ")" : "\(head) , \(list(arguments)))"
  }

  /// Marks the keys that are words of the language.
  private static func escaped(_ path: String) -> String {
    let parts = path.split(separator: ".", omittingEmptySubsequences: false)
    return parts.map { ReservedWord.isReserved(String($0)) ? "#\($0)" : String($0) }
      .joined(separator: ".")
  }
}
