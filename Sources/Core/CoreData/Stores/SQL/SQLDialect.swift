/// The variations of SQL in one database engine. Predicates, sort descriptors and schemas are
/// converted to SQL with a dialect.
package final class SQLDialect: Sendable {
  /// The name of every table's key column, and that of the column with the number of a row's
  /// entity.
  package let keyColumn: String
  package let entityColumn: String
  /// A name, quoted if necessary.
  package let quoted: @Sendable (String) -> String
  package let words: Words
  /// The text of the parameter with a number, from 1.
  package let parameter: @Sendable (Int) -> String
  /// A constant that is compared with values of a kind.
  package let constant: @Sendable (SQLValue, SQLOperand.Kind) throws -> SQLFragment
  /// An attribute's column, converted to a value of its kind.
  package let column: @Sendable (SQLFragment, NSAttributeDescription) -> SQLFragment
  /// The condition “text contains pattern”, for two SQL values.
  package let contains: @Sendable (_ text: SQLFragment, _ pattern: SQLFragment) -> SQLFragment
  /// The condition “text begins with prefix”; the prefix is not empty.
  package let beginsWith: @Sendable (_ text: SQLFragment, _ prefix: String) -> SQLFragment
  /// The condition “equals one of the values”; there is at least one value.
  package let isMember:
    @Sendable (SQLFragment, _ values: [SQLValue], SQLOperand.Kind) throws -> SQLFragment
  /// A term of ORDER BY that sorts nil before every value.
  package let sortTerm: @Sendable (SQLFragment, _ ascending: Bool) -> SQLFragment
  /// Whether the engine computes as SQLite does and calls the functions that are registered with it
  /// (``SQLFunction``). For other engines SQL that needs this throws ``NotInDialect``.
  package let hasOwnFunctions: Bool

  /// Keywords and functions that differ between engines.
  package struct Words: Sendable {
    package let yes: String
    package let no: String
    /// The function that replaces NULL.
    package let ifMissing: String
    /// Operators of equality and inequality that compare NULL as a value.
    package let same: String
    package let different: String
    /// The type of doubles.
    package let real: String
    /// The argument of LIMIT for no limit.
    package let noLimit: String
    /// The suffix that makes a text compare bytewise, as columns do, if it is not a column; empty
    /// if every text compares bytewise.
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

  /// The JSON form of a list's elements.
  enum ListForm {
    /// Integers and texts, unchanged.
    case plain
    /// Doubles by their bit patterns, which lose no digit.
    case reals
    /// Bytes as Base64.
    case data
  }
}

/// Thrown for a part of a predicate or sort descriptor that the engine cannot evaluate exactly as
/// memory does. The store then reads more rows than are wanted, and completes the fetch in memory.
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
      // UTF-8 has no byte 0xFF, so the incremented byte does not overflow.
      end[end.count - 1] += 1
      return "\(text) >= \(SQLFragment(.text(prefix))) AND \(text) < \(SQLFragment(.bytes(end)))"
    },
    isMember: { sql, values, _ in
      SQLList.isMember(sql, values: values) { parameter, form in
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
  /// The name, quoted unless it is plain, as in Apple's schemas.
  static func quoted(_ name: String) -> String {
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.value > 0x7F || $0 == "_" || ("A"..."Z").contains($0) || ("a"..."z").contains($0)
        || ("0"..."9").contains($0)
    }
    return isPlain ? name : "\"\(name.replacing("\"", with: "\"\""))\""
  }
}
