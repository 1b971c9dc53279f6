import Foundation
import KeyValueCoding

/// Comparison of text and numbers in a fetch. A constant number is compared with text by its
/// digits: `plate == 9` and `plate IN {9, 10}` find the text “9”. SQLite compares a text column
/// with a parameter in this way.
///
/// A constant text that is a number is compared with numbers by its value: `count > "3"`. User
/// interfaces pass typed text in this way.
///
/// Otherwise, and between two values of an object, text and numbers are never equal.
///
/// Source: sqlite.org/datatype3.html, section 4.2
struct NumberText {
  enum Side {
    case left, right

    var other: Side { self == .left ? .right : .left }
  }

  /// The side that is constant; nil if neither or both are.
  private let constantSide: Side?

  init(_ comparison: NSComparisonPredicate, nilRule: NilRule) {
    let (left, right) = (comparison.leftExpression, comparison.rightExpression)
    guard nilRule.computesAsSQL, left.isConstant != right.isConstant,
      !left.isMixedList, !right.isMixedList
    else {
      constantSide = nil
      return
    }
    constantSide = left.isConstant ? .left : .right
  }

  /// The value of one side, converted for equality with a value of the other side.
  func callAsFunction(_ side: Side, _ value: TypedValue, _ other: TypedValue) -> TypedValue {
    guard side == constantSide, case .string = other, let digits = value.digits else {
      return number(side, value: value, other: other)
    }
    return .string(digits)
  }

  /// The value of one side, converted for ordering by a value of the other side: text that is a
  /// number becomes one.
  func number(_ side: Side, value: TypedValue, other: TypedValue) -> TypedValue {
    guard side == constantSide, other.number != nil else { return value }
    return value.numberOfText ?? value
  }

  /// The constants of an IN list, with the forms in which text or numbers may match them.
  func adding(to members: Set<TypedValue>) -> Set<TypedValue> {
    guard constantSide == .right else { return members }
    return members.union(
      members.compactMap { $0.digits.map { .string($0) } ?? $0.numberOfText })
  }
}

extension TypedValue {
  /// The number as which SQLite compares the text with a number; nil for text that is not a number,
  /// and for other values.
  package var numberOfText: TypedValue? {
    guard case .string(let text) = self else { return nil }
    let trimmed = text.utf8.drop(while: Self.isSpace).reversed().drop(while: Self.isSpace)
    let number = String(decoding: trimmed.reversed(), as: UTF8.self)
    // Neither hexadecimal numbers nor “nan” and “infinity”.
    guard number.utf8.contains(where: Self.isDigit),
      number.utf8.allSatisfy({ Self.isDigit($0) || "+-.eE".utf8.contains($0) })
    else { return nil }
    return Int64(number).map { .integer($0) } ?? Double(number).map { .double($0) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
}

extension TypedValue {
  /// The number as text in SQLite's form; nil for other values.
  package var digits: String? {
    switch self {
    case .integer(let value): return "\(value)"
    case .double(let value):
      let text = String(format: "%.15g", value)
      return text.contains { ".en".contains($0) } ? text : "\(text).0"
    case .decimal(let value): return TypedValue.double(Number.decimal(value).doubleValue).digits
    default: return nil
    }
  }
}

extension NSExpression {
  /// Whether the value does not depend on the evaluated object.
  package var isConstant: Bool {
    switch content {
    case .constant, .symbol: true
    case .keyPath(_, let operand): operand?.isConstant ?? false
    case .function(let name, let arguments):
      !name.lowercased().hasPrefix("random") && arguments.allSatisfy(\.isConstant)
    case .cast, .set, .aggregate, .element, .message: content.children.allSatisfy(\.isConstant)
    default: false
    }
  }

  /// Whether the expression is a list in which some elements are constant and others are not.
  package var isMixedList: Bool {
    guard case .aggregate(let elements) = content else { return false }
    return elements.contains(where: \.isConstant) && !elements.allSatisfy(\.isConstant)
  }
}
