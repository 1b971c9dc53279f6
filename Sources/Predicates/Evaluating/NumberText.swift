import Foundation
import KeyValueCoding

/// How a fetch compares a text with a number: a number that the predicate brings along stands for its digits, so that
/// `plate == 9` and `plate IN {9, 10}` find the text “9”. So compares SQLite a column of texts with a parameter.
///
/// And a text that the predicate brings along and that is a number stands for this number beside one: `count > "3"`. That is
/// how user interfaces hand over what was typed.
///
/// Elsewhere, and between values of an object, a text and a number are never equal.
/// Source: sqlite.org/datatype3.html, section 4.2
struct NumberText {
  enum Side {
    case left, right

    var other: Side { self == .left ? .right : .left }
  }

  /// The side that the predicate brings along; nil when neither is, or both are.
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

  /// A value of one side, as it is compared with one of the other.
  func callAsFunction(_ side: Side, _ value: TypedValue, _ other: TypedValue) -> TypedValue {
    guard side == constantSide, case .string = other, let digits = value.digits else {
      return number(side, value, other)
    }
    return .string(digits)
  }

  /// The same for an order, which texts and numbers have none of: a text that is a number is one there.
  func number(_ side: Side, _ value: TypedValue, _ other: TypedValue) -> TypedValue {
    guard side == constantSide, other.number != nil else { return value }
    return value.numberOfText ?? value
  }

  /// Constants that something is looked for in.
  func adding(to members: Set<TypedValue>) -> Set<TypedValue> {
    guard constantSide == .right else { return members }
    return members.union(
      members.compactMap { $0.digits.map { .string($0) } ?? $0.numberOfText })
  }
}

extension TypedValue {
  /// The number that a text is to SQLite where it is compared with one; nil for a text that is none, and for what is no
  /// text.
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
  /// A number as SQLite writes it; nil for what is none.
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
  /// Whether the value is the same whatever object it is evaluated with.
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

  /// Whether it is a list of which some elements are constant and others are not.
  package var isMixedList: Bool {
    guard case .aggregate(let elements) = content else { return false }
    return elements.contains(where: \.isConstant) && !elements.allSatisfy(\.isConstant)
  }
}
