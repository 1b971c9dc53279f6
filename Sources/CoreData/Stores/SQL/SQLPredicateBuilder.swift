/// Puts predicates into SQL.
///
///     author.name BEGINSWITH "A" AND ANY tags = %@
///     ──►  (t1.ZNAME >= ? AND t1.ZNAME < ?) AND EXISTS (SELECT 1 FROM Z_1TAGS j2 … WHERE …)
///
/// Comparisons with nil are neither true nor false, nor is their negation, which is SQL's rule; only a
/// comparison with a literal nil asks for nil itself. What has no SQL throws an error that names it.
final class SQLPredicateBuilder {
  let context: SQLQueryContext
  private var aliasCount = 0

  init(context: SQLQueryContext) { self.context = context }

  func makeAlias() -> String {
    aliasCount += 1
    return "t\(aliasCount)"
  }

  func condition(_ predicate: NSPredicate, _ scope: SQLScope) throws -> SQLFragment {
    switch predicate {
    case let comparison as NSComparisonPredicate: try condition(comparison, scope)
    case let compound as Foundation.NSCompoundPredicate: try condition(compound, scope)
    default: try constantCondition(predicate)
    }
  }

  private func constantCondition(_ predicate: NSPredicate) throws -> SQLFragment {
    switch predicate.printedFormat {
    case "TRUEPREDICATE": return "1"
    case "FALSEPREDICATE": return "0"
    default: throw SQLGeneration.unsupported("a block", in: predicate)
    }
  }

  /// SQLite nests operators without parentheses to the left and takes no more than a thousand levels; halves
  /// keep a long row of conditions shallow.
  private static func nested(_ parts: ArraySlice<SQLFragment>, _ separator: String) -> SQLFragment {
    guard parts.count > 64 else { return "(\(parts.joined(separator: separator)))" }
    let middle = parts.startIndex + parts.count / 2
    let left = nested(parts[..<middle], separator)
    let right = nested(parts[middle...], separator)
    return "(\(left)\(raw: separator)\(right))"
  }

  private func condition(
    _ compound: Foundation.NSCompoundPredicate, _ scope: SQLScope
  ) throws -> SQLFragment {
    let parts = try compound.subpredicates.map { try condition($0, scope) }
    switch compound.compoundPredicateType {
    case .and: return parts.isEmpty ? "1" : Self.nested(parts[...], " AND ")
    case .or: return parts.isEmpty ? "0" : Self.nested(parts[...], " OR ")
    case .not:
      guard let part = parts.first else {
        throw SQLGeneration.unsupported("NOT of nothing", in: compound)
      }
      return "NOT (\(part))"
    @unknown default: throw SQLGeneration.unsupported("an unknown connective", in: compound)
    }
  }
}
