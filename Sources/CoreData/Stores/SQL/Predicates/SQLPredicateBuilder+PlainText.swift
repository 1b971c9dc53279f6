import Predicates

/// A comparison of a text of the row with a constant, for engines that do not fold case and accents as memory does.
///
/// Of texts of ASCII they say the same: a letter's case is all that there is to fold. About all others memory decides.
///
///     name CONTAINS[cd] "x"    strpos(lower(name), 'x') > 0      name has more bytes than characters
///                              `condition`, of ASCII              `isDoubtful`
package struct PlainTextCondition {
  /// Unknown for nil.
  package let condition: SQLFragment
  package let isDoubtful: SQLFragment
  /// Whether what is unknown is false, so that its negation holds.
  fileprivate let comparesAsInMemory: Bool

  /// Holds wherever the comparison does.
  package var widened: SQLFragment { "(\(isDoubtful) OR \(condition))" }

  /// The same for NOT.
  package var negated: PlainTextCondition {
    PlainTextCondition(
      condition: comparesAsInMemory ? "(\(condition)) IS NOT TRUE" : "NOT (\(condition))",
      isDoubtful: isDoubtful, comparesAsInMemory: comparesAsInMemory)
  }
}

extension SQLPredicateBuilder {
  /// Nil for what is no such comparison.
  package func plainTextCondition(
    _ comparison: NSComparisonPredicate, _ scope: SQLScope
  ) throws -> PlainTextCondition? {
    guard comparison.comparisonPredicateModifier == .direct,
      case .operand(.expression(let text, .text)) = try resolve(comparison.leftExpression, scope),
      case .operand(.constant(let value)) = try resolve(comparison.rightExpression, scope),
      case .string(let constant) = TypedValue(value),
      let condition = try plainCondition(text, constant, comparison)
    else { return nil }
    return PlainTextCondition(
      condition: condition, isDoubtful: "octet_length(\(text)) <> length(\(text))",
      comparesAsInMemory: comparesAsInMemory)
  }

  private func plainCondition(
    _ text: SQLFragment, _ constant: String, _ comparison: NSComparisonPredicate
  ) throws -> SQLFragment? {
    let folding = StringFolding(comparison.options)
    let pattern = folding.fold(constant)
    let value = try context.dialect.constant(.text(pattern), .text)
    let folded: SQLFragment = folding.ignoresCase ? "lower(\(text))" : text
    let isASCII = pattern.utf8.allSatisfy { $0 < 0x80 }
    let nothing: SQLFragment = "(\(text) IS NULL AND NULL)"
    let type = comparison.predicateOperatorType
    switch type {
    // A locale has an order of its own, and memory has a place for nil in it.
    case .notEqualTo where comparesAsInMemory && !comparison.options.contains(.localeSensitive):
      return "\(folded) IS DISTINCT FROM \(value)"
    case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
      guard !comparison.options.contains(.localeSensitive), let sign = Self.signs[type],
        type == .equalTo || !comparesAsInMemory
      else { return nil }
      return "\(folded) \(raw: sign) \(value)"
    case .contains, .beginsWith, .endsWith:
      // The empty text is found nowhere, and what has other characters is in no ASCII.
      guard isASCII, !pattern.isEmpty else { return nothing }
      switch type {
      case .contains: return context.dialect.contains(folded, value)
      case .beginsWith: return context.dialect.beginsWith(folded, pattern)
      default: return "right(\(folded), \(raw: String(pattern.utf8.count))) = \(value)"
      }
    case .like:
      guard isASCII else { return nothing }
      return "\(folded) LIKE \(SQLFragment(.text(Self.like(pattern))))"
    default: return nil
    }
  }

  private static let signs: [Operator: String] = [
    .equalTo: "=", .notEqualTo: "<>", .lessThan: "<", .lessThanOrEqualTo: "<=", .greaterThan: ">",
    .greaterThanOrEqualTo: ">=",
  ]

  /// A pattern with `*`, `?` and `\` as SQL's LIKE writes it.
  private static func like(_ pattern: String) -> String {
    var result = ""
    var rest = pattern.unicodeScalars.makeIterator()
    func add(_ scalar: Unicode.Scalar) {
      if scalar == "%" || scalar == "_" || scalar == "\\" { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    while let scalar = rest.next() {
      switch scalar {
      case "*": result += "%"
      case "?": result += "_"
      case "\\": add(rest.next() ?? scalar)
      default: add(scalar)
      }
    }
    return result
  }
}
