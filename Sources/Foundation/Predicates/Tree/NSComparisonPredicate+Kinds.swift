extension NSComparisonPredicate {
  /// The options of string comparisons; raw values are Apple's.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The bits of the options.
    public let rawValue: UInt

    /// Makes options from their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// `[c]`: ignores case.
    public static let caseInsensitive = Options(rawValue: 1)
    /// `[d]`: ignores accents.
    public static let diacriticInsensitive = Options(rawValue: 2)
    /// `[n]`: the strings are already normalised; supersedes the other options.
    public static let normalized = Options(rawValue: 4)
    /// `[l]`: compares in the order of the user's locale.
    package static let localeSensitive = Options(rawValue: 8)
  }

  /// The subject of a comparison, the left value or its elements; raw values are Apple's.
  public enum Modifier: UInt, Sendable {
    /// Compares the left value itself.
    case direct = 0
    /// Holds if the comparison holds for every element.
    case all = 1
    /// Holds if the comparison holds for at least one element.
    case any = 2
  }

  /// The operators; raw values are Apple's.
  public enum Operator: UInt, CaseIterable, Sendable {
    case lessThan = 0
    case lessThanOrEqualTo = 1
    case greaterThan = 2
    case greaterThanOrEqualTo = 3
    case equalTo = 4
    case notEqualTo = 5
    /// `MATCHES`: the left string matches a regular expression.
    case matches = 6
    /// `LIKE`: the left string matches a pattern with `*` and `?`.
    case like = 7
    /// `BEGINSWITH`: the left string begins with the right one.
    case beginsWith = 8
    /// `ENDSWITH`: the left string ends with the right one.
    case endsWith = 9
    /// `IN`: the left value is in the right collection or string.
    case `in` = 10
    /// A message to the left value with the right one as its argument.
    case customSelector = 11
    /// `CONTAINS`: the right value is in the left collection or string.
    case contains = 99
    /// `BETWEEN`: the left value lies between two bounds, which it may equal.
    case between = 100
  }
}

/// The spellings of operators and options. The first spelling of an operator is the printed one.
enum ComparisonSpelling {
  typealias Operator = NSComparisonPredicate.Operator

  static let operators: [(type: Operator, spellings: [String])] = [
    (.lessThan, ["<"]), (.lessThanOrEqualTo, ["<=", "=<"]),
    (.greaterThan, [">"]), (.greaterThanOrEqualTo, [">=", "=>"]),
    (.equalTo, ["==", "="]), (.notEqualTo, ["!=", "<>"]),
    (.matches, ["MATCHES"]), (.like, ["LIKE"]),
    (.beginsWith, ["BEGINSWITH"]), (.endsWith, ["ENDSWITH"]),
    (.in, ["IN"]), (.contains, ["CONTAINS"]), (.between, ["BETWEEN"]),
  ]

  static let operatorsBySpelling = Dictionary(
    operators.flatMap { row in row.spellings.map { ($0, row.type) } }, uniquingKeysWith: { $1 })

  static let spellingsByOperator = Dictionary(
    operators.map { ($0.type, $0.spellings[0]) }, uniquingKeysWith: { $1 })

  /// A letter that is not an option.
  struct UnknownOption: Error {
    let letter: Character
  }

  /// The options for letters such as `cd`.
  ///
  /// - Throws: ``UnknownOption`` for the first unknown letter.
  static func options(of letters: String) throws(UnknownOption) -> NSComparisonPredicate.Options {
    var result: NSComparisonPredicate.Options = []
    for letter in letters.lowercased() {
      guard let row = options.first(where: { $0.letter == letter }) else {
        throw UnknownOption(letter: letter)
      }
      result.insert(row.option)
    }
    return result
  }

  /// The options in the order of printing.
  static let options: [(letter: Character, option: NSComparisonPredicate.Options)] = [
    ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("n", .normalized),
    ("l", .localeSensitive),
  ]
}
