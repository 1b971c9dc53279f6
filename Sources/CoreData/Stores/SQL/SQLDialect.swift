/// How one database engine spells what SQL's standard leaves open. Predicates, sort descriptors and
/// schemas are put into SQL by way of one.
struct SQLDialect: Sendable {
  /// The text of the parameter with a number, from 1.
  let parameter: @Sendable (Int) -> String
  /// The function `name(text, pattern, operation, options)` that answers a string comparison.
  let matchFunction: String
  /// What follows an expression in ORDER BY to have it sorted by a selector; nil for `compare:`.
  let collations: [SortSelector: String]
  /// A condition for “text contains pattern”, both SQL.
  let contains: @Sendable (_ text: SQLFragment, _ pattern: SQLFragment) -> SQLFragment
  /// A query for the elements of a parameter that holds a list as JSON text.
  let elements: @Sendable (_ parameter: SQLFragment) -> SQLFragment

  static let sqlite = SQLDialect(
    parameter: { _ in "?" },
    matchFunction: "CoreDataStringMatch",
    collations: [
      .caseInsensitiveCompare: "CoreDataCaseInsensitive",
      .localizedCompare: "CoreDataLocalized",
      .localizedCaseInsensitiveCompare: "CoreDataLocalizedCaseInsensitive",
      .localizedStandardCompare: "CoreDataLocalizedStandard",
    ],
    contains: { "instr(\($0), \($1)) > 0" },
    elements: { "SELECT value FROM json_each(\($0))" })
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
