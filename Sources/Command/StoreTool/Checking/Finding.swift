import CoreData

/// A violation of a rule of the file format.
package struct Finding: Codable, Sendable {
  package enum Rule: String, Codable, Sendable {
    case file, schema, metadata, numbers, keys, entities, versions, types, values, references, kinds
    case inverses, order, joins, external, history
  }

  package let rule: Rule
  /// The table, followed by the column if the rule is about one.
  package let place: String
  package let problem: String
  /// The number of rows that violate the rule; nil for a rule that is not about rows.
  package let rows: Int?
  /// Primary keys of some of these rows, at most five.
  package let examples: [Int64]
  /// The effect of `--repair`; nil if the violation cannot be repaired without further knowledge.
  package let repair: String?
  /// The SQL statements of the repair.
  var statements: [String] = []

  private enum CodingKeys: String, CodingKey {
    case rule, place, problem, rows, examples, repair
  }

  package var text: String {
    let count = rows.map { " (\($0 == 1 ? "1 row" : "\($0) rows")" } ?? ""
    let keys = examples.isEmpty ? "" : ": Z_PK \(examples.map(String.init).joined(separator: ", "))"
    let end = count.isEmpty ? "" : keys + ")"
    let cure = repair.map { "; --repair \($0)" } ?? ""
    return "\(rule.rawValue): \(place): \(problem)\(count)\(end)\(cure)"
  }
}

extension Finding {
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      rule: try values.decode(Rule.self, forKey: .rule),
      place: try values.decode(String.self, forKey: .place),
      problem: try values.decode(String.self, forKey: .problem),
      rows: try values.decodeIfPresent(Int.self, forKey: .rows),
      examples: try values.decode([Int64].self, forKey: .examples),
      repair: try values.decodeIfPresent(String.self, forKey: .repair))
  }
}
