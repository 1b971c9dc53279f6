import Foundation

/// A piece of a format and where it stands.
///
/// A class: the parser looks at the same few tokens at every level, and would copy what they hold each time.
final class Token: Sendable {
  enum Kind: Equatable, Sendable {
    /// A name or a word of the language, as it was written.
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
    /// An argument's place: the conversion without `%`, and its number from 0.
    case argument(Conversion, index: Int)
    case symbol(String)
    case end
  }

  /// What an argument becomes.
  enum Conversion: Equatable, Sendable {
    /// `%@`
    case object
    /// `%K`
    case keyPath
    /// `%d` and the other conversions of printf for whole numbers.
    case integer
    /// `%f` and the other conversions of printf for fractions.
    case double
    /// `%c`, `%s` and the like.
    case text
  }

  let kind: Kind
  /// The number of Unicode scalars before the token.
  let position: Int

  /// The word in capitals when the token is a word that is not escaped.
  let keyword: String?

  // What the parser asks of a token again and again, found once: the tokens of a format are kept.

  /// AND or OR, in words or symbols.
  let connective: Connective?
  /// What the token says between two expressions.
  let comparison: NSComparisonPredicate.Operator?
  let infix: InfixOperator?
  /// `.none` for what is no symbol.
  let symbol: Symbol
  let isNegation: Bool
  /// What the letters say behind an operator, in brackets; nil where they are other letters.
  let options: NSComparisonPredicate.Options?
  /// What TRUEPREDICATE and FALSEPREDICATE say.
  let constantPredicate: Bool?
  /// What the word is before a parenthesis.
  let construct: PredicateParser.Construct?
  /// What the expression is that the token makes alone, whatever stands around it; none for a word of the language.
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

  /// An expression that every predicate of the format shares.
  ///
  /// Sendable: an expression is immutable.
  struct Leaf: @unchecked Sendable {
    let expression: NSExpression

    init(_ content: ExpressionContent) { expression = NSExpression(content: content) }
  }

  @inline(__always)
  func isSymbol(_ other: Symbol) -> Bool { symbol == other }

  /// Whether what stands before the token is complete.
  var endsOperand: Bool {
    switch kind {
    case .end: true
    case .symbol(let symbol): [")", "]", "}", ",", "||", "&&"].contains(symbol)
    case .word: keyword == "AND" || keyword == "OR"
    default: false
    }
  }

  /// The token in the words of an error message.
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
