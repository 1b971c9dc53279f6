/// How one database engine spells what SQL's standard leaves open. Predicates, sort descriptors and
/// schemas are put into SQL by way of one.
package final class SQLDialect: Sendable {
  /// The names of the columns that every table has: its key, and the number of the row's entity.
  package let keyColumn: String
  package let entityColumn: String
  /// A name as SQL takes it.
  package let quoted: @Sendable (String) -> String
  package let words: Words
  /// The text of the parameter with a number, from 1.
  package let parameter: @Sendable (Int) -> String
  /// A constant that is compared with values of a kind.
  package let constant: @Sendable (SQLValue, SQLOperand.Kind) throws -> SQLFragment
  /// An attribute's column, as values of its kind.
  package let column: @Sendable (SQLFragment, NSAttributeDescription) -> SQLFragment
  /// A condition for “text contains pattern”, both SQL.
  package let contains: @Sendable (_ text: SQLFragment, _ pattern: SQLFragment) -> SQLFragment
  /// A condition for “text begins with prefix”, which is not empty.
  package let beginsWith: @Sendable (_ text: SQLFragment, _ prefix: String) -> SQLFragment
  /// A condition for “one of the values”, of which there is at least one.
  package let isMember:
    @Sendable (SQLFragment, _ values: [SQLValue], SQLOperand.Kind) throws -> SQLFragment
  /// A term of ORDER BY in which nil comes before every value.
  package let sortTerm: @Sendable (SQLFragment, _ ascending: Bool) -> SQLFragment
  /// Whether the engine computes as SQLite does, and calls the functions that we register with it
  /// (``SQLFunction``). What others cannot say throws ``NotInDialect``.
  package let hasOwnFunctions: Bool

  /// The words in which engines differ.
  package struct Words: Sendable {
    package let yes: String
    package let no: String
    /// The function that replaces nil.
    package let ifMissing: String
    /// Comparisons that take nil for a value.
    package let same: String
    package let different: String
    /// The type of doubles.
    package let real: String
    /// What follows LIMIT where there is none.
    package let noLimit: String
    /// What follows a text that no column gives, so that it is compared byte by byte as columns are; empty where every
    /// text is.
    package let byBytes: String

    package init(
      yes: String, no: String, ifMissing: String, same: String, different: String, real: String,
      noLimit: String, byBytes: String = ""
    ) {
      self.yes = yes
      self.no = no
      self.ifMissing = ifMissing
      self.same = same
      self.different = different
      self.real = real
      self.noLimit = noLimit
      self.byBytes = byBytes
    }
  }

  package init(
    keyColumn: String, entityColumn: String, quoted: @escaping @Sendable (String) -> String,
    words: Words, parameter: @escaping @Sendable (Int) -> String,
    constant: @escaping @Sendable (SQLValue, SQLOperand.Kind) throws -> SQLFragment,
    column: @escaping @Sendable (SQLFragment, NSAttributeDescription) -> SQLFragment,
    contains: @escaping @Sendable (SQLFragment, SQLFragment) -> SQLFragment,
    beginsWith: @escaping @Sendable (SQLFragment, String) -> SQLFragment,
    isMember:
      @escaping @Sendable (SQLFragment, [SQLValue], SQLOperand.Kind) throws -> SQLFragment,
    sortTerm: @escaping @Sendable (SQLFragment, Bool) -> SQLFragment, hasOwnFunctions: Bool
  ) {
    self.keyColumn = keyColumn
    self.entityColumn = entityColumn
    self.quoted = quoted
    self.words = words
    self.parameter = parameter
    self.constant = constant
    self.column = column
    self.contains = contains
    self.beginsWith = beginsWith
    self.isMember = isMember
    self.sortTerm = sortTerm
    self.hasOwnFunctions = hasOwnFunctions
  }

  /// How the elements of a list are written in JSON.
  enum ListForm {
    /// As they are: integers, texts.
    case plain
    /// Doubles by their bit patterns, so that none loses a digit.
    case reals
    /// Bytes as Base64.
    case data
  }
}

/// Thrown for what a predicate or a sort descriptor asks for and the engine does not say exactly as memory
/// does: the store reads more rows than are wanted, and finishes in memory.
package struct NotInDialect: Error {
  package init() {}
}

extension SQLDialect {
  static let sqlite = SQLDialect(
    keyColumn: "Z_PK", entityColumn: "Z_ENT", quoted: SQLIdentifier.quoted,
    words: Words(
      yes: "1", no: "0", ifMissing: "IFNULL", same: "IS", different: "IS NOT", real: "REAL",
      noLimit: "-1"),
    parameter: { _ in "?" },
    constant: { value, _ in SQLFragment(value) },
    column: { column, _ in column },
    contains: { "instr(\($0), \($1)) > 0" },
    beginsWith: { text, prefix in
      var end = Array(prefix.utf8)
      // No byte of UTF-8 is 0xFF, so the next one is a byte.
      end[end.count - 1] += 1
      return "\(text) >= \(SQLFragment(.text(prefix))) AND \(text) < \(SQLFragment(.bytes(end)))"
    },
    isMember: { sql, values, _ in
      SQLList.isMember(sql, values) { parameter, form in
        switch form {
        case .plain: "SELECT value FROM json_each(\(parameter))"
        case .reals: "SELECT \(raw: SQLFunction.real)(value) FROM json_each(\(parameter))"
        case .data: "SELECT \(raw: SQLFunction.data)(value) FROM json_each(\(parameter))"
        }
      }
    },
    sortTerm: { value, ascending in ascending ? value : "\(value) DESC" },
    hasOwnFunctions: true)
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
