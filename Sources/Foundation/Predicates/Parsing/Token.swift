import Foundation

/// A token of a format with its position.
///
/// A class: the parser reads the same few tokens at every level, and would copy their contents each
/// time.
final class Token: Sendable {
  enum Kind: Equatable, Sendable {
    /// A name or a word of the language, in the original spelling.
    case word(String)
    /// `#name`: a name even if it is a word of the language.
    case escapedWord(String)
    /// `@name`
    case collectionOperator(String)
    /// `$name`
    case variable(String)
    case integer(Int64)
    case double(Double)
    case string(String)
    /// An argument: the conversion without `%`, and the index from 0.
    case argument(Conversion, index: Int)
    case symbol(String)
    case end
  }

  /// The conversion of an argument.
  enum Conversion: Equatable, Sendable {
    /// `%@`
    case object
    /// `%K`
    case keyPath
    /// `%d` and the other integer conversions of printf.
    case integer
    /// `%f` and the other floating-point conversions of printf.
    case double
    /// `%c`, `%s` and the like.
    case text
  }

  let kind: Kind
  /// The number of Unicode scalars before the token.
  let position: Int

  /// The word in capitals; nil unless the token is a word without `#`.
  let keyword: String?

  // Properties that the parser reads often, computed once: tokens are cached with their format.

  /// AND or OR, in words or symbols.
  let connective: Connective?
  /// The comparison operator that the token is, if it is one.
  let comparison: NSComparisonPredicate.Operator?
  let infix: InfixOperator?
  /// `.none` if the token is not a symbol.
  let symbol: Symbol
  let isNegation: Bool
  /// The options for these letters in brackets after an operator; nil if a letter is not an option.
  let options: NSComparisonPredicate.Options?
  /// The value of TRUEPREDICATE and FALSEPREDICATE; nil for other tokens.
  let constantPredicate: Bool?
  /// The construct that the word begins if a parenthesis follows.
  let construct: PredicateParser.Construct?
  /// The expression that the token makes by itself. Only meaningful if the word is not reserved.
  let leaf: Leaf?
  let setOperation: SetOperation?
  let literal: Literal?
  let isQuantifier: Bool
  let isReserved: Bool

  enum Connective: Sendable {
    case and, or

    var type: NSCompoundPredicate.LogicalType { self == .and ? .and : .or }
  }

  init(kind: Kind, position: Int) {
    self.kind = kind
    self.position = position
    let keyword: String? = if case .word(let word) = kind { word.uppercased() } else { nil }
    let mark: String? = if case .symbol(let symbol) = kind { symbol } else { nil }
    let spelling = mark ?? keyword ?? ""
    self.keyword = keyword
    symbol = mark.map(Symbol.init) ?? .none
    isNegation = spelling == "NOT" || spelling == "!"
    constantPredicate =
      switch keyword {
      case "TRUEPREDICATE": true
      case "FALSEPREDICATE": false
      default: nil
      }
    construct = keyword.flatMap { PredicateParser.Construct(rawValue: $0) }
    connective =
      switch spelling {
      case "AND", "&&": .and
      case "OR", "||": .or
      default: nil
      }
    comparison = ComparisonSpelling.operatorsBySpelling[spelling]
    infix = mark.flatMap { InfixOperator.bySymbol[$0] }
    setOperation = keyword.flatMap { SetOperation(rawValue: $0) }
    let literal = keyword.flatMap { Literal($0) }
    self.literal = literal
    isQuantifier = ["ANY", "SOME", "ALL", "NONE"].contains(spelling)
    isReserved = keyword.map(ReservedWord.isReserved) ?? false
    options = keyword.flatMap { try? ComparisonSpelling.options(of: $0) }
    leaf = literal.map { Leaf($0.content) } ?? Self.content(kind).map(Leaf.init)
  }

  private static func content(_ kind: Kind) -> ExpressionContent? {
    switch kind {
    case .word(let name), .escapedWord(let name): .keyPath(name, of: nil)
    case .collectionOperator(let name): .keyPath("@" + name, of: nil)
    case .variable(let name): .variable(name)
    case .integer(let value): .constant(NSNumber(value: value))
    case .double(let value): .constant(NSNumber(value: value))
    case .string(let text): .constant(text)
    case .argument, .symbol, .end: nil
    }
  }

  /// An expression that all predicates of the format share.
  ///
  /// Unchecked Sendable: an expression is immutable.
  struct Leaf: @unchecked Sendable {
    let expression: NSExpression

    init(_ content: ExpressionContent) { expression = NSExpression(content: content) }
  }

  @inline(__always)
  func isSymbol(_ other: Symbol) -> Bool { symbol == other }

  /// Whether the token ends the operand before it.
  var endsOperand: Bool {
    switch kind {
    case .end: true
    case .symbol(let symbol): [")", "]", "}", ",", "||", "&&"].contains(symbol)
    case .word: keyword == "AND" || keyword == "OR"
    default: false
    }
  }

  /// The token in words for an error message.
  var name: String {
    switch kind {
    case .word(let word): "\"\(word)\""
    case .escapedWord(let word): "\"#\(word)\""
    case .collectionOperator(let word): "\"@\(word)\""
    case .variable(let word): "\"$\(word)\""
    case .integer, .double: "a number"
    case .string: "a string"
    case .argument: "an argument"
    case .symbol(let symbol): "\"\(symbol)\""
    case .end: "the end"
    }
  }
}
