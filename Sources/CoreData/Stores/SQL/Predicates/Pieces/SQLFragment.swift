/// A value of a parameter.
package enum SQLValue {
  case integer(Int64)
  case real(Double)
  case text(String)
  /// Text that need not be UTF-8: the end of a range of strings.
  case bytes([UInt8])
  case data(Data)
}

/// A piece of SQL with the values of its parameters in their order. Made by interpolation: fragments and
/// values keep their order, so a text can never lose track of its parameters.
struct SQLFragment: ExpressibleByStringInterpolation {
  fileprivate enum Piece {
    case text(String)
    case value(SQLValue)
  }

  fileprivate var pieces: [Piece] = []

  init(stringLiteral value: String) { pieces = [.text(value)] }

  init(text: String) { pieces = [.text(text)] }

  init(_ value: SQLValue) { pieces = [.value(value)] }

  init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.fragment.pieces }

  fileprivate init() {}

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var fragment = SQLFragment()

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) { fragment.pieces.append(.text(literal)) }

    mutating func appendInterpolation(_ other: SQLFragment) {
      fragment.pieces.append(contentsOf: other.pieces)
    }

    /// SQL that is no value: names, operators.
    mutating func appendInterpolation(raw text: String) { fragment.pieces.append(.text(text)) }
  }

  /// The text in a dialect, and the values of its parameters.
  func rendered(_ dialect: SQLDialect) -> (sql: String, values: [SQLValue]) {
    var sql = ""
    var values: [SQLValue] = []
    for piece in pieces {
      switch piece {
      case .text(let text): sql += text
      case .value(let value):
        values.append(value)
        sql += dialect.parameter(values.count)
      }
    }
    return (sql, values)
  }

  /// The text with its values in it, for SQL that takes no parameters; nil for a value that SQL cannot
  /// spell.
  var literalText: String? {
    var text = ""
    for piece in pieces {
      switch piece {
      case .text(let piece): text += piece
      case .value(let value):
        guard let literal = value.literal else { return nil }
        text += literal
      }
    }
    return text
  }
}

extension SQLValue {
  fileprivate var literal: String? {
    switch self {
    case .integer(let value): "\(value)"
    case .real(let value): value.isFinite ? "\(value)" : nil
    case .text(let text): text.contains("\0") ? nil : "'\(text.replacing("'", with: "''"))'"
    case .bytes(let bytes): "CAST(x'\(Self.hexadecimal(bytes))' AS TEXT)"
    case .data(let data): "x'\(Self.hexadecimal(data))'"
    }
  }

  private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension Sequence where Element == SQLFragment {
  func joined(separator: String) -> SQLFragment {
    var result = SQLFragment()
    for (index, fragment) in enumerated() {
      if index > 0 { result.pieces.append(.text(separator)) }
      result.pieces += fragment.pieces
    }
    return result
  }
}
