import Foundation
import KeyValueCoding

/// The arguments for `%@`, `%K` and the other conversions, by index.
struct FormatArguments {
  let format: String
  let values: [Any?]

  private func error(_ reason: String, at position: Int) -> PredicateFormatError {
    PredicateFormatError(format: format, position: position, reason: reason)
  }

  private func value(_ index: Int, at position: Int) throws(PredicateFormatError) -> Any? {
    guard index < values.count else {
      throw error(
        "there is no argument \(index + 1): \(values.count) were given",
        at: position)
    }
    return bridgedConstant(values[index])
  }

  func expression(
    _ conversion: Token.Conversion, index: Int, at position: Int
  ) throws(PredicateFormatError) -> NSExpression {
    let value = try value(index, at: position)
    switch conversion {
    case .object:
      // Tested before the cast: casting a collection to a class bridges it element by element.
      let object = value.flatMap(classInstance) as? NSExpression
      return object ?? NSExpression(content: .constant(value))
    case .keyPath: return try keyPathExpression(index, at: position)
    case .integer:
      return NSExpression(forConstantValue: try integer(value, index: index, position: position))
    case .double:
      return NSExpression(forConstantValue: try number(value, index: index, position: position))
    case .text:
      return NSExpression(forConstantValue: try text(value, index: index, position: position))
    }
  }

  /// The key path for a `%K`: a string or a Swift key path.
  func keyPath(_ index: Int, at position: Int) throws(PredicateFormatError) -> String {
    let value = try value(index, at: position)
    if let path = value as? String, !path.isEmpty { return path }
    if let path = value as? AnyKeyPath, let name = KeyPathName.name(of: path) { return name }
    throw mismatch("a key path", value: value, index: index, position: position)
  }

  private func keyPathExpression(
    _ index: Int, at position: Int
  ) throws(PredicateFormatError) -> NSExpression {
    let path = try keyPath(index, at: position)
    if path.uppercased() == "SELF" { return NSExpression.expressionForEvaluatedObject() }
    return NSExpression(forKeyPath: path)
  }

  private func number(
    _ value: Any?, index: Int, position: Int
  ) throws(PredicateFormatError) -> NSNumber {
    if let number = value as? NSNumber { return number }
    throw mismatch("a number", value: value, index: index, position: position)
  }

  /// The integer for an integer conversion. Drops the fraction of a number, as C's conversion does.
  private func integer(
    _ value: Any?, index: Int, position: Int
  ) throws(PredicateFormatError) -> NSNumber {
    let number = try number(value, index: index, position: position)
    guard case .integer = TypedValue(number: number) else {
      guard let whole = TypedValue(number: number).number?.integerValue else { return number }
      return NSNumber(value: whole)
    }
    return number
  }

  /// The string for `%s` and `%c`. Also accepts the code of a character.
  private func text(
    _ value: Any?, index: Int, position: Int
  ) throws(PredicateFormatError) -> String {
    if let text = value as? String { return text }
    if let code = value as? NSNumber, let scalar = Unicode.Scalar(code.uint32Value) {
      return String(scalar)
    }
    throw mismatch("a string", value: value, index: index, position: position)
  }

  private func mismatch(
    _ expected: String, value: Any?, index: Int, position: Int
  ) -> PredicateFormatError {
    let kind = TypedValue(value).kindName
    return error("expected \(expected) as argument \(index + 1), found \(kind)", at: position)
  }
}
