/// A value at the end of a path of to-one relationships: `author.name`.
///
///     book ──author──► person ──city──► city: name
///     links: (book, author), (person, city), (city, name)
///
/// A derived value becomes stale with a link: when a row on the path is inserted or deleted, or its
/// column changes. Each link has equal triggers, which compute the values of all rows whose path
/// leads through the changed row. Apple's files have no such triggers; names and bodies are this
/// package's own.
struct FollowedValue {
  /// A link of the path: a table and its column, which leads to the next link or has the value at
  /// the end.
  struct Link {
    let table: String
    let column: String
  }

  /// The first link is of the table with the derived attribute.
  let links: [Link]
  /// Applies the expression's function, if there is one, to the SQL of the value.
  let function: (String) -> String

  func triggers(_ frame: DerivedTriggers) -> [String] {
    let value = value(at: 0, in: links[0].table)
    return [frame.whenInserted(set: value)]
      + links.indices.flatMap { place in
        events(at: place).map { event in
          frame.trigger(
            "LINK\(place)_\(event.name)", on: links[place].table, event: event.sql, set: value,
            where: rows(throughKey: "\(event.row).Z_PK", at: place))
        }
      }
  }

  /// The events that change a link. A row with the attribute itself is computed when it is
  /// inserted, and its deletion changes nothing.
  private func events(at place: Int) -> [(name: String, sql: String, row: String)] {
    let change = (name: "CHANGE", sql: "AFTER UPDATE OF \(links[place].column)", row: "NEW")
    if place == 0 { return [change] }
    return [("ARRIVAL", "AFTER INSERT", "NEW"), change, ("REMOVAL", "AFTER DELETE", "OLD")]
  }

  /// The value as seen from a row of a link: the column's at the end of the path, else the next
  /// link's.
  private func value(at place: Int, in row: String) -> String {
    let column = "\(row).\(links[place].column)"
    guard place + 1 < links.count else { return function(column) }
    let next = "v\(place + 1)"
    return "(SELECT \(value(at: place + 1, in: next)) FROM \(links[place + 1].table) \(next) "
      + "WHERE \(next).Z_PK = \(column))"
  }

  /// The condition for rows with the attribute whose path leads through a row of a link; it follows
  /// the links backwards.
  private func rows(throughKey key: String, at place: Int) -> String {
    if place == 0 { return "Z_PK = \(key)" }
    if place == 1 { return "\(links[0].column) = \(key)" }
    let joins = (0..<place - 1).reversed().map { before in
      " JOIN \(links[before].table) w\(before) "
        + "ON w\(before).\(links[before].column) = w\(before + 1).Z_PK"
    }
    let last = place - 1
    return "Z_PK IN (SELECT w0.Z_PK FROM \(links[last].table) w\(last)\(joins.joined()) "
      + "WHERE w\(last).\(links[last].column) = \(key))"
  }
}
