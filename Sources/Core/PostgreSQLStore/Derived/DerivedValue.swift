import CoreData

/// A value at the end of a path of to-one relationships:
///
///     book ──author──► person ──city──► city: name
///     links: (book, author), (person, city), (city, name)
///
/// The first link belongs to the row with the derived attribute.
struct DerivedValue {
  private struct Link {
    let property: NSPropertyDescription
    let entity: NSEntityDescription
    let table: String
    let column: String
  }

  private let links: [Link]
  let type: ColumnType

  init(
    _ path: [NSRelationshipDescription], end: NSAttributeDescription, finder: ColumnFinder,
    attribute: NSDerivedAttributeDescription
  ) throws {
    let entities = [attribute.entity] + path.map { $0.destinationEntity ?? attribute.entity }
    var links: [Link] = []
    var type = ColumnType.reference
    for (entity, property) in zip(entities, path + [end]) {
      guard let table = finder.mapping[entity.layout]?.table else {
        throw finder.elsewhere(attribute)
      }
      let found = try finder.column(of: property, attribute)
      links.append(
        Link(
          property: property, entity: entity, table: SchemaNames.quoted(table),
          column: found.column))
      type = found.type
    }
    self.links = links
    self.type = type
  }

  /// The positions in the path at which a row of this layout can be, if these slots of it have
  /// changed; nil for all slots.
  func places(of layout: EntityLayout, changing slots: Set<Int>?) -> [Int] {
    links.indices.filter { place in
      guard layout.entity.isKindOf(entity: links[place].entity) else { return false }
      guard let slots else { return true }
      return layout.slot(of: links[place].property.name).map(slots.contains) ?? false
    }
  }

  /// SQL of the value for `row`, a row of the attribute's table.
  func value(of row: String) -> String { value(at: 0, in: row) }

  private func value(at place: Int, in row: String) -> String {
    let column = "\(row).\(links[place].column)"
    guard place + 1 < links.count else { return column }
    let next = "v\(place + 1)"
    return "(SELECT \(value(at: place + 1, in: next)) FROM \(links[place + 1].table) \(next) "
      + "WHERE \(next).\(DerivedColumn.key) = \(column))"
  }

  /// A condition for rows with the attribute whose path leads, at a position, through the rows with
  /// the keys $1.
  func leadsThrough(_ place: Int) -> String {
    let key = DerivedColumn.key
    if place == 0 { return "\(key) = ANY($1)" }
    var condition = "\(links[place - 1].column) = ANY($1)"
    for before in (0..<place - 1).reversed() {
      condition =
        "\(links[before].column) IN (SELECT \(key) FROM \(links[before + 1].table) WHERE \(condition))"
    }
    return condition
  }

  /// Statements that lock the rows further along the path from the rows with the keys $1 at a
  /// position. Other transactions that change these rows wait, and then see the rows that have come
  /// to refer to them.
  func locks(behind place: Int) -> [String] {
    let key = DerivedColumn.key
    var keys = "= ANY($1)"
    return links.indices.dropFirst(place + 1).map { next in
      let before = links[next - 1]
      keys = "IN (SELECT \(before.column) FROM \(before.table) WHERE \(key) \(keys))"
      return "SELECT 1 FROM \(links[next].table) WHERE \(key) \(keys) FOR SHARE"
    }
  }
}
