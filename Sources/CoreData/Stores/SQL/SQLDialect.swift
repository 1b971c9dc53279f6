/// How one database engine spells what SQL's standard leaves open. Predicates, sort descriptors and
/// schemas are put into SQL by way of one.
struct SQLDialect: Sendable {
  /// The text of the parameter with a number, from 1.
  let parameter: @Sendable (Int) -> String
  /// A condition for “text contains pattern”, both SQL.
  let contains: @Sendable (_ text: SQLFragment, _ pattern: SQLFragment) -> SQLFragment
  /// A query for the elements of a parameter that holds a list as JSON text.
  let elements: @Sendable (_ parameter: SQLFragment, _ form: ListForm) -> SQLFragment

  /// How the elements of a list are written in JSON.
  enum ListForm {
    /// As they are: integers, texts.
    case plain
    /// Doubles by their bit patterns, so that none loses a digit.
    case reals
    /// Bytes as Base64.
    case data
  }

  static let sqlite = SQLDialect(
    parameter: { _ in "?" },
    contains: { "instr(\($0), \($1)) > 0" },
    elements: { parameter, form in
      switch form {
      case .plain: "SELECT value FROM json_each(\(parameter))"
      case .reals: "SELECT \(raw: SQLFunction.real)(value) FROM json_each(\(parameter))"
      case .data: "SELECT \(raw: SQLFunction.data)(value) FROM json_each(\(parameter))"
      }
    })
}

enum SQLIdentifier {
  /// As it is when it needs no quotes, which is how Apple's schemas read.
  static func quoted(_ name: String) -> String {
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.value > 0x7F || $0 == "_" || ("A"..."Z").contains($0) || ("a"..."z").contains($0)
        || ("0"..."9").contains($0)
    }
    return isPlain ? name : "\"\(name.replacing("\"", with: "\"\""))\""
  }
}
