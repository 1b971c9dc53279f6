import CoreData

/// A rule of the file format that a store does not keep.
package struct Finding: Codable, Sendable {
  package enum Rule: String, Codable, Sendable {
    case file, schema, metadata, numbers, keys, entities, versions, types, values, references, kinds
    case inverses, order, joins, external, history
  }

  package let rule: Rule
  /// The table, and the column where it is about one.
  package let place: String
  package let problem: String
  /// How many rows it is about; nil where it is about none.
  package let rows: Int?
  /// The keys of some of them.
  package let examples: [Int64]
  /// What `--repair` does about it; nil where nothing can be done without knowing more.
  package let repair: String?
  /// The statements of the repair.
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
