/// The functions that generated SQL calls and that a store registers with its connections.
///
///     CoreDataStringMatch(text, pattern, operator, options)   an operator for strings
///     CoreDataFold(text, options)                             text as the options `c` and `d` see it
///     CoreDataOrder(left, right, options)                     −1, 0 or 1, in the user's locale
///     CoreDataSortKey(text, selector)                         bytes that sort as the selector sorts
///     CoreDataCast(value, kind, type)                         CAST
///     CoreDataProperty(value, kind, key)                      a key of a value: the length of a string
///     CoreDataReal(bits), CoreDataData(base64)                elements of long lists
///     CoreDataDecimalSUM(value), CoreDataDecimalAVG(value)    of all rows, in decimal digits
///     CoreDataWholeAVG(value)                                 of all rows, of a sum that has lost nothing
///     CoreDataFloat(number)                                   the number as a Float keeps it
///     CoreDataRaiseToPower(…), CoreDataUppercase(…), …        the functions of expressions, by name
///
/// Options and operators are the raw values of `NSComparisonPredicate`'s.
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

  /// The aggregate function `SUM` or `AVG`, of decimals.
  static func ofDecimals(_ name: String) -> String { "CoreDataDecimal\(name)" }

  /// Of integers, which SQLite adds up as doubles.
  static let averageOfIntegers = "CoreDataWholeAVG"

  /// The functions of expressions that SQL has not, or has otherwise; with what they give.
  static let ofExpressions: [String: Result] = [
    "modulus:by:": .number, "raise:toPower:": .number, "sqrt:": .number, "log:": .number,
    "ln:": .number, "exp:": .number, "floor:": .number, "ceiling:": .number, "trunc:": .number,
    "abs:": .number, "bitwiseXor:with:": .number, "uppercase:": .text, "lowercase:": .text,
    "canonical:": .text, "length:": .number, "sum:": .number, "count:": .number,
    "average:": .number, "min:": .likeArguments, "max:": .likeArguments, "median:": .number,
    "stddev:": .number,
  ]

  /// The same with the names under which they are registered.
  static let namesOfExpressions = ofExpressions.keys.map { (name: name(of: $0), function: $0) }

  enum Result {
    case number, text
    /// The kind that all arguments have.
    case likeArguments
  }

  /// `raise:toPower:` ──► `CoreDataRaiseToPower`
  static func name(of function: String) -> String {
    let words = function.split(separator: ":")
    return "CoreData" + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}

extension SQLOperand.Kind {
  /// How a registered function learns what its argument is.
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
