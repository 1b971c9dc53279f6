import CoreData

/// Checks a store against the rules of the file format. Read-only; ``Repair`` works on a copy.
package struct StoreCheck {
  let store: OpenedStore
  let inspector: StoreInspector
  let mapping: SQLMapping
  private(set) var findings: [Finding] = []

  /// All findings. A store that is not a SQLite file is checked object by object.
  package static func findings(in store: OpenedStore) throws -> [Finding] {
    do {
      guard let mapping = try store.store.sqlMapping else {
        return try ObjectCheck(store: store).findings()
      }
      var check = StoreCheck(
        store: store, inspector: try StoreInspector(url: store.url), mapping: mapping)
      try check.run()
      return check.findings
    } catch { throw ToolError(error) }
  }

  private mutating func run() throws {
    try checkFile()
    try checkMetadata()
    try checkNumbers()
    let tables = Dictionary(grouping: mapping.allEntities, by: \.table).sorted { $0.key < $1.key }
    let bar = ProgressBar("Checking", total: tables.count)
    for (table, entities) in tables {
      try checkRows(of: table, entities)
      for entity in entities { try checkProperties(of: entity) }
      bar.advance()
    }
    bar.end()
    try checkJoins()
    try checkExternalData()
    try checkHistory()
  }

  // MARK: - Recording

  mutating func note(
    _ rule: Finding.Rule, place: String, problem: String, repair: String? = nil,
    statements: [String] = []
  ) {
    findings.append(
      Finding(
        rule: rule, place: place, problem: problem, rows: nil, examples: [], repair: repair,
        statements: statements))
  }

  /// Adds a finding if rows of a table, with the alias `t`, satisfy a condition. `key` is the
  /// expression whose values are the examples.
  mutating func noteRows(
    _ rule: Finding.Rule, place: String, problem: String, from table: String,
    where condition: String,
    key: String = "t.Z_PK", repair: String? = nil, statements: [String] = []
  ) throws {
    let from = "FROM \(StoreInspector.quoted(table)) t WHERE \(condition)"
    let examples = try inspector.rows("SELECT \(key) \(from) LIMIT 5").compactMap {
      $0[0] as? Int64
    }
    guard !examples.isEmpty else { return }
    let count =
      examples.count < 5
      ? examples.count : Int(try inspector.integer("SELECT COUNT(*) \(from)") ?? 0)
    findings.append(
      Finding(
        rule: rule, place: place, problem: problem, rows: count, examples: examples, repair: repair,
        statements: statements))
  }

  mutating func noteExternal(
    _ table: String, column: String, keys: [Int64], statement: String
  ) {
    findings.append(
      Finding(
        rule: .external, place: "\(table).\(column)", problem: "values whose files are missing",
        rows: keys.count,
        examples: Array(keys.prefix(5)), repair: "sets them to nil", statements: [statement]))
  }

  static func list(_ numbers: [Int]) -> String {
    numbers.sorted().map(String.init).joined(separator: ", ")
  }
}

/// The result of `check`.
package struct CheckReport: Codable, Sendable {
  package let path: String
  package let findings: [Finding]
  /// Whether objects were checked against the model instead of rows against the file format.
  private var isOfObjects: Bool?

  private enum CodingKeys: String, CodingKey {
    case path, findings
  }

  package init(_ store: OpenedStore, findings: [Finding]) {
    path = store.place
    self.findings = findings
    isOfObjects = store.format != .sqlite
  }

  package func text(_ terminal: Terminal = .standardOutput) -> String {
    if findings.isEmpty {
      return terminal.styled("ok", style: .green)
        + "  \(path) keeps every rule of \(isOfObjects == true ? "the model" : "the format")."
    }
    let count = findings.count == 1 ? "1 finding" : "\(findings.count) findings"
    return
      (["\(path): \(terminal.styled(count, style: .red))"]
      + findings.map { "  " + CellText.visible($0.text) })
      .joined(separator: "\n")
  }
}
