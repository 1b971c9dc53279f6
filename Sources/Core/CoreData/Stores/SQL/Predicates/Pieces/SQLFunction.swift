/// The functions that generated SQL calls, and that a store registers with its connections.
///
///     CoreDataStringMatch(text, pattern, operator, options)   an operator for strings
///     CoreDataFold(text, options)                             text as `c` and `d` fold it
///     CoreDataOrder(left, right, options)                     −1, 0 or 1, in the user's locale
///     CoreDataSortKey(text, selector)                         bytes in the order of the selector
///     CoreDataCast(value, kind, type)                         CAST
///     CoreDataProperty(value, kind, key)                      a key of a value: a string's length
///     CoreDataReal(bits), CoreDataData(base64)                elements of long lists
///     CoreDataDecimalSUM(value), CoreDataDecimalAVG(value)    aggregates in decimal digits
///     CoreDataWholeAVG(value)                                 average of an exact sum of integers
///     CoreDataFloat(number)                                   the number rounded to a Float
///     CoreDataRaiseToPower(…), CoreDataUppercase(…), …        functions of expressions, by name
///
/// Options and operators are raw values of `NSComparisonPredicate`'s types.
enum SQLFunction {
  static let match = "CoreDataStringMatch"
  static let fold = "CoreDataFold"
  static let order = "CoreDataOrder"
  static let sortKey = "CoreDataSortKey"
  static let cast = "CoreDataCast"
  static let property = "CoreDataProperty"
  static let real = "CoreDataReal"
  static let data = "CoreDataData"
  static let float = "CoreDataFloat"

  /// The aggregate function `SUM` or `AVG` for decimals.
  static func ofDecimals(_ name: String) -> String { "CoreDataDecimal\(name)" }

  /// The average of integers, which SQLite would add as doubles.
  static let averageOfIntegers = "CoreDataWholeAVG"

  /// The functions of expressions that SQL lacks or computes otherwise, with the kinds of their
  /// results.
  static let ofExpressions: [String: Result] = [
    "modulus:by:": .number, "raise:toPower:": .number, "sqrt:": .number, "log:": .number,
    "ln:": .number, "exp:": .number, "floor:": .number, "ceiling:": .number, "trunc:": .number,
    "abs:": .number, "bitwiseXor:with:": .number, "uppercase:": .text, "lowercase:": .text,
    "canonical:": .text, "length:": .number, "sum:": .number, "count:": .number,
    "average:": .number, "min:": .likeArguments, "max:": .likeArguments, "median:": .number,
    "stddev:": .number,
  ]

  /// The functions of ``ofExpressions`` with the names under which they are registered.
  static let namesOfExpressions = ofExpressions.keys.map { (name: name(of: $0), function: $0) }

  enum Result {
    case number, text
    /// The common kind of the arguments.
    case likeArguments
  }

  /// The registered name of a function: `raise:toPower:` ──► `CoreDataRaiseToPower`.
  static func name(of function: String) -> String {
    let words = function.split(separator: ":")
    return "CoreData" + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}

extension SQLOperand.Kind {
  /// The number that passes an argument's kind to a registered function; −1 for kinds that have
  /// none.
  var code: Int {
    switch self {
    case .number, .decimal: 0
    case .text: 1
    case .date: 2
    case .data: 3
    case .uuid: 4
    case .uri: 5
    case .object, .entity, .opaque: -1
    }
  }

  init?(code: Int) {
    switch code {
    case 0: self = .number
    case 1: self = .text
    case 2: self = .date
    case 3: self = .data
    case 4: self = .uuid
    case 5: self = .uri
    default: return nil
    }
  }
}
