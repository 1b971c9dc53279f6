/// An R-tree index: a virtual table with a box per row, and the triggers that maintain it.
///
///     CREATE VIRTUAL TABLE Z_RT_Place_bounds USING RTREE
///       (Z_PK INTEGER PRIMARY KEY, ZLATITUDE_MIN FLOAT, ZLATITUDE_MAX FLOAT, …)
///
/// Each attribute is a dimension, in which the box has no extent; nil counts as 0.
struct SearchTree {
  let entity: String
  let index: String
  let table: String
  let columns: [String]

  private var name: String { SQLIdentifier.quoted("Z_RT_\(entity)_\(index)") }

  var creation: String {
    let sides = columns.map { "\($0)_MIN FLOAT, \($0)_MAX FLOAT" }.joined(separator: ", ")
    return "CREATE VIRTUAL TABLE \(name) USING RTREE (Z_PK INTEGER PRIMARY KEY, \(sides))"
  }

  /// The statement that fills the index with all rows of the table.
  var filling: String {
    let sides = columns.map { "\($0)_MIN, \($0)_MAX" }.joined(separator: ", ")
    let values = columns.map { "IFNULL(\($0), 0), IFNULL(\($0), 0)" }.joined(separator: ", ")
    return "INSERT INTO \(name) (Z_PK, \(sides)) SELECT Z_PK, \(values) FROM \(table)"
  }

  var triggers: [String] {
    let sides = columns.map { "\($0)_MIN, \($0)_MAX" }.joined(separator: ", ")
    let values = columns.enumerated().map { index, column in
      index == 0 ? "NEW.\(column) ,NEW.\(column)" : "NEW.\(column), NEW.\(column)"
    }.joined(separator: ", ")
    let entry =
      "INSERT OR REPLACE INTO \(name) (Z_PK, \(sides)) VALUES (NEW.Z_PK, \(values)) ;"
    return [
      trigger("INSERT", event: "AFTER INSERT", action: entry),
      trigger("UPDATE", event: "AFTER UPDATE OF \(columns.joined(separator: ", "))", action: entry),
      trigger(
        "DELETE", event: "AFTER DELETE", action: "DELETE FROM \(name) WHERE Z_PK = OLD.Z_PK ;"),
    ]
  }

  private func trigger(_ suffix: String, event: String, action: String) -> String {
    let name = SQLIdentifier.quoted("Z_RT_\(entity)_\(index)_\(suffix)")
    return "CREATE TRIGGER \(name) \(event) ON \(table) FOR EACH ROW BEGIN \(action) END"
  }
}
