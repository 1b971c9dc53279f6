import Foundation

/// The words that can be keys only with a `#` before them.
enum ReservedWord {
  /// Returns whether the word is reserved.
  ///
  /// - Parameter keyword: a word in capitals.
  static func isReserved(_ keyword: String) -> Bool { all.contains(keyword) }

  private static let all: Set<String> = [
    "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "CASEINSENSITIVE", "CI",
    "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE",
    "YES",
    "FALSE", "NO", "FIRST", "LAST", "SIZE", "ANYKEY", "SUBQUERY", "CAST", "TRUEPREDICATE",
    "FALSEPREDICATE",
  ]
}

/// The words that are values.
enum Literal: Sendable {
  case `true`, `false`, `nil`, evaluatedObject, anyKey

  /// Returns nil if the word is not a value.
  ///
  /// - Parameter keyword: a word in capitals.
  init?(_ keyword: String) {
    switch keyword {
    case "TRUE", "YES": self = .true
    case "FALSE", "NO": self = .false
    case "NULL", "NIL": self = .nil
    case "SELF": self = .evaluatedObject
    case "ANYKEY": self = .anyKey
    default: return nil
    }
  }

  var content: ExpressionContent {
    switch self {
    case .true: .constant(NSNumber(value: true))
    case .false: .constant(NSNumber(value: false))
    case .nil: .constant(nil)
    case .evaluatedObject: .evaluatedObject
    case .anyKey: .anyKey
    }
  }
}

/// The arithmetic operators: symbol, function and precedence. Operators of equal precedence
/// associate to the left.
struct InfixOperator: Sendable {
  let symbol: String
  let function: String
  let precedence: Int

  static let all: [InfixOperator] = [
    .init(symbol: "|", function: "bitwiseOr:with:", precedence: 2),
    .init(symbol: "^", function: "bitwiseXor:with:", precedence: 3),
    .init(symbol: "&", function: "bitwiseAnd:with:", precedence: 4),
    .init(symbol: "<<", function: "leftshift:by:", precedence: 5),
    .init(symbol: ">>", function: "rightshift:by:", precedence: 5),
    .init(symbol: "+", function: "add:to:", precedence: 6),
    .init(symbol: "-", function: "from:subtract:", precedence: 6),
    .init(symbol: "*", function: "multiply:by:", precedence: 7),
    .init(symbol: "/", function: "divide:by:", precedence: 7),
    .init(symbol: "**", function: "raise:toPower:", precedence: 8),
  ]

  static let bySymbol = Dictionary(all.map { ($0.symbol, $0) }, uniquingKeysWith: { $1 })

  static let symbolsByFunction = Dictionary(
    all.map { ($0.function, $0.symbol) }, uniquingKeysWith: { $1 })

  /// Set operations bind loosest.
  static let setPrecedence = 1
}
