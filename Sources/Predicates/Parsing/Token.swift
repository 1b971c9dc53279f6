import Foundation

/// A piece of a format and where it stands.
struct Token: Sendable {
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
    let symbol: String? = if case .symbol(let symbol) = kind { symbol } else { nil }
    let spelling = symbol ?? keyword ?? ""
    self.keyword = keyword
    connective =
      switch spelling {
      case "AND", "&&": .and
      case "OR", "||": .or
      default: nil
      }
    comparison = ComparisonSpelling.operatorsBySpelling[spelling]
    infix = symbol.flatMap { InfixOperator.bySymbol[$0] }
    setOperation = keyword.flatMap { SetOperation(rawValue: $0) }
    literal = keyword.flatMap { Literal($0) }
    isQuantifier = ["ANY", "SOME", "ALL", "NONE"].contains(spelling)
    isReserved = keyword.map(ReservedWord.isReserved) ?? false
  }

  func isSymbol(_ other: String) -> Bool {
    if case .symbol(let symbol) = kind { symbol == other } else { false }
  }

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
