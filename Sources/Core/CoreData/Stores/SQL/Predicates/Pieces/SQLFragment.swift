/// The value of a parameter.
package enum SQLValue: Sendable {
  case integer(Int64)
  case real(Double)
  case text(String)
  /// Bytes of a text that need not be UTF-8, such as the end of a range of strings.
  case bytes([UInt8])
  case data(Data)
  /// A text that the engine reads as a value of a type of its own, given by the type's number. A
  /// cast in the SQL would run for each row.
  case written(String, type: UInt32)
}

/// SQL with the values of its parameters in their order. Made by interpolation, which keeps each
/// value with its place in the text.
package struct SQLFragment: ExpressibleByStringInterpolation, Sendable {
  fileprivate enum Piece {
    case text(String)
    /// A condition that always or never holds.
    case truth(Bool)
    case value(SQLValue)
  }

  fileprivate var pieces: [Piece] = []

  /// A condition that always holds, and one that never holds.
  package static let yes = SQLFragment(pieces: [.truth(true)])
  package static let no = SQLFragment(pieces: [.truth(false)])

  /// The truth of the condition if it is one of these two; else nil.
  var truth: Bool? {
    if pieces.count == 1, case .truth(let holds) = pieces[0] { holds } else { nil }
  }

  package init(stringLiteral value: String) { pieces = [.text(value)] }

  package init(text: String) { pieces = [.text(text)] }

  package init(_ value: SQLValue) { pieces = [.value(value)] }

  package init(stringInterpolation: StringInterpolation) {
    pieces = stringInterpolation.fragment.pieces
  }

  fileprivate init(pieces: [Piece] = []) { self.pieces = pieces }

  /// Joins the fragments, with a text between each two.
  init(joining fragments: some Sequence<SQLFragment>, separator: String) {
    for (index, fragment) in fragments.enumerated() {
      if index > 0 { pieces.append(.text(separator)) }
      pieces += fragment.pieces
    }
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var fragment = SQLFragment()

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) {
      fragment.pieces.append(.text(literal))
    }

    package mutating func appendInterpolation(_ other: SQLFragment) {
      fragment.pieces.append(contentsOf: other.pieces)
    }

    /// Appends SQL that is not a value: a name, an operator.
    package mutating func appendInterpolation(raw text: String) {
      fragment.pieces.append(.text(text))
    }
  }

  package var valueCount: Int {
    pieces.count { if case .value = $0 { true } else { false } }
  }

  /// The text in a dialect, and the values of its parameters.
  package func rendered(_ dialect: SQLDialect) -> (sql: String, values: [SQLValue]) {
    var sql = ""
    var values: [SQLValue] = []
    for piece in pieces {
      switch piece {
      case .text(let text): sql += text
      case .truth(let holds): sql += holds ? dialect.words.yes : dialect.words.no
      case .value(let value):
        values.append(value)
        sql += dialect.parameter(values.count)
      }
    }
    return (sql, values)
  }

  /// The text with the values as literals, for SQLite statements that take no parameters; nil for a
  /// value that has no literal.
  var literalText: String? {
    var text = ""
    for piece in pieces {
      switch piece {
      case .text(let piece): text += piece
      case .truth(let holds): text += holds ? "1" : "0"
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
    case .text(let text), .written(let text, _):
      text.contains("\0") ? nil : "'\(text.replacing("'", with: "''"))'"
    case .bytes(let bytes): "CAST(x'\(Self.hexadecimal(bytes))' AS TEXT)"
    case .data(let data): "x'\(Self.hexadecimal(data))'"
    }
  }

  private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
