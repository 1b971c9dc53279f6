import CoreData

/// Repairs a copy of a store; the store itself is not changed.
package enum Repair {
  /// The findings that were repaired, and those that remain in the copy.
  package struct Outcome: Codable, Sendable {
    package let copy: String
    package let repaired: [Finding]
    package let left: [Finding]

    package func text(_ terminal: Terminal = .standardOutput) -> String {
      var lines = [
        "Repaired in \(copy): \(repaired.count) of \(repaired.count + left.count) findings"
      ]
      lines += repaired.map {
        "  \(terminal.styled("repaired", style: .green))  \(CellText.visible($0.text))"
      }
      lines += left.map {
        "  \(terminal.styled("left", style: .red))  \(CellText.visible($0.text))"
      }
      return lines.joined(separator: "\n")
    }
  }

  /// Copies the store and repairs the copy in one transaction. Throws if the file exists already.
  package static func run(
    _ findings: [Finding], of request: StoreRequest, to copy: URL
  ) throws -> Outcome {
    do {
      try StoreCopying.copy(request.store, format: .sqlite, to: copy)
      let statements = findings.flatMap(\.statements)
      let inspector = try StoreInspector(url: copy, isWriting: true)
      let inside = statements.filter { !$0.hasPrefix("PRAGMA") && $0 != "REINDEX" }
      try inspector.transaction { for sql in inside { _ = try inspector.rows(sql) } }
      for sql in Set(statements).subtracting(inside) { _ = try inspector.rows(sql) }
      var again = request
      again.store = copy
      let left = try StoreCheck.findings(in: OpenedStore(again))
      let places = Set(left.map { "\($0.rule) \($0.place) \($0.problem)" })
      return Outcome(
        copy: copy.path,
        repaired: findings.filter { !places.contains("\($0.rule) \($0.place) \($0.problem)") },
        left: left)
    } catch { throw ToolError(error) }
  }
}
