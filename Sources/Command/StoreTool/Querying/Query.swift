import CoreData

/// A query of a store, in the terms of the command: `query STORE Entity --where … --sort …
/// --columns …`.
package struct Query: Sendable {
  package var entity: String
  package var condition: String?
  package var sort: String?
  package var columns: String?
  package var group: String?
  package var limit = 0
  package var offset = 0
  package var isDistinct = false

  package init(entity: String) { self.entity = entity }

  /// Parses an order such as `title,-date` or `title asc, date desc`.
  package static func sortDescriptors(_ text: String) throws -> [NSSortDescriptor] {
    try ColumnText.split(text).map { item in
      let words = item.split(whereSeparator: \.isWhitespace).map(String.init)
      let isDescending = item.hasPrefix("-") || words.dropFirst().first?.lowercased() == "desc"
      guard let key = words.first, words.count <= 2,
        words.count == 1 || ["asc", "desc"].contains(words[1].lowercased())
      else {
        throw ToolError(
          .usage,
          description:
            "--sort cannot be read at “\(item)”: expected KEY, -KEY, KEY asc or KEY desc.")
      }
      return NSSortDescriptor(
        key: key.hasPrefix("-") ? String(key.dropFirst()) : key, ascending: !isDescending)
    }
  }

  /// The fetch request, and the names of its columns.
  func request(
    in store: OpenedStore
  ) throws -> (request: NSFetchRequest<NSDictionary>, columns: [String]) {
    let entity = try store.entity(named: entity)
    let request = NSFetchRequest<NSDictionary>()
    request.entity = entity
    request.resultType = .dictionaryResultType
    let groups = try group.map { try ColumnText($0, of: entity) }
    let chosen: ColumnText
    if let columns {
      chosen = try ColumnText(columns, of: entity)
    } else if let group {
      chosen = try ColumnText("\(group),@count", of: entity)
    } else {
      chosen = ColumnText(allOf: entity)
    }
    request.propertiesToFetch = chosen.properties
    request.propertiesToGroupBy = groups?.properties
    request.predicate = try condition.map(Condition(of: entity).option)
    request.sortDescriptors = try sort.map(Self.sortDescriptors)
    for key in request.sortDescriptors?.compactMap(\.key) ?? [] {
      try entity.relationships(onPath: key)
    }
    request.fetchLimit = limit
    request.fetchOffset = offset
    request.returnsDistinctResults = isDistinct
    return (request, chosen.names)
  }

  /// Writes the rows as the store returns them.
  package func run(in store: OpenedStore, format: RowFormat, to bytes: ByteWriter) throws {
    do {
      let (request, columns) = try request(in: store)
      let writer = format.makeWriter(columns, to: bytes)
      try store.coordinator.stream(request) {
        try writer.write($0)
        return true
      }
      try writer.end()
    } catch {
      throw Self.told(error)
    }
  }

  /// The query's SQL and the database's plan for it.
  package func explain(in store: OpenedStore) throws -> Explanation {
    do {
      let (request, _) = try request(in: store)
      guard let found = try store.coordinator.explanation(of: request) else {
        throw ToolError(
          .usage,
          description:
            "A store of type \(store.format.rawValue) has no SQL: it is read whole, into memory.")
      }
      return Explanation(
        sql: found.sql, parameters: found.values.map(Explanation.text), plan: found.plan,
        finishing: found.finishing)
    } catch {
      throw Self.told(error)
    }
  }

  /// Converts an error. An unsupported predicate or column is a usage error.
  private static func told(_ error: any Error) -> ToolError {
    let told = ToolError(error)
    let isQuestion = (error as NSError).code == CocoaError.Code.coreData.rawValue
    return isQuestion ? ToolError(.usage, description: told.description) : told
  }

  package struct Explanation: Codable, Sendable {
    package let sql: String
    package let parameters: [String]
    package let plan: [String]
    /// The work that is done in memory after the query.
    package var finishing: String?

    package var text: String {
      let values =
        parameters.isEmpty ? [] : ["", "Parameters: " + parameters.joined(separator: ", ")]
      let rest = finishing.map { ["", "Finished in memory: \($0)"] } ?? []
      return ([sql] + values + ["", "Plan:"] + plan.map { "  " + $0 } + rest)
        .joined(separator: "\n")
    }

    static func text(_ value: SQLValue) -> String {
      switch value {
      case .integer(let value): String(value)
      case .real(let value): "\(value)"
      case .text(let value), .written(let value, _): "'\(value.replacing("'", with: "''"))'"
      case .bytes(let value): "<\(CellText.size(value.count))>"
      case .data(let value): "x'\(value.map { String(format: "%02X", $0) }.joined())'"
      }
    }
  }
}
