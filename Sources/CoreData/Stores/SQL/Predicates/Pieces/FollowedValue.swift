/// A value at the end of a way of to-one relationships: `author.name`.
///
///     book ──author──► person ──city──► city: name        links: (book, author), (person, city), (city, name)
///
/// A derived value is stale when a link is: the row at some place of the way has come or gone, or its column
/// has another value. Each place has the same triggers, which compute the value of all rows anew whose way
/// leads through the row. No file of Apple's has such triggers; their names and bodies are our own.
struct FollowedValue {
  /// A place of the way: a table, and the column that leads on, or that has the value at the last place.
  struct Link {
    let table: String
    let column: String
  }

  /// The first is of the row with the derived attribute.
  let links: [Link]
  /// Puts a function around the value.
  let function: (String) -> String

  func triggers(_ frame: DerivedTriggers) -> [String] {
    let value = value(at: 0, in: links[0].table)
    return [frame.whenInserted(set: value)]
      + links.indices.flatMap { place in
        events(at: place).map { event in
          frame.trigger(
            "LINK\(place)_\(event.name)", on: links[place].table, event.sql, set: value,
            where: rows(throughKey: "\(event.row).Z_PK", at: place))
        }
      }
  }

  /// A row that has the attribute itself is computed when it comes, and needs nothing when it goes.
  private func events(at place: Int) -> [(name: String, sql: String, row: String)] {
    let change = (name: "CHANGE", sql: "AFTER UPDATE OF \(links[place].column)", row: "NEW")
    if place == 0 { return [change] }
    return [("ARRIVAL", "AFTER INSERT", "NEW"), change, ("REMOVAL", "AFTER DELETE", "OLD")]
  }

  /// The value as a row at a place sees it: the column's, or what the next place says.
  private func value(at place: Int, in row: String) -> String {
    let column = "\(row).\(links[place].column)"
    guard place + 1 < links.count else { return function(column) }
    let next = "v\(place + 1)"
    return "(SELECT \(value(at: place + 1, in: next)) FROM \(links[place + 1].table) \(next) "
      + "WHERE \(next).Z_PK = \(column))"
  }

  /// The rows with the attribute whose way leads through the row with a key at a place, found from there
  /// backwards, link by link.
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
