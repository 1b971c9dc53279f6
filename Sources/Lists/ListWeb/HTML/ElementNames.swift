import ListKit

/// Names of the objects that a page shows, by which events refer to them.
///
/// A redrawn row has new controls. An event for one of its old controls is meant for the control at
/// this index in the row.
///
/// Owned by one window session. Objects are referenced weakly: the name of a deallocated one finds
/// nothing.
@MainActor
final class ElementNames {
  private struct Entry {
    weak var object: AnyObject?
    let name: String
    /// The position of an object in a row; nil outside of rows.
    var place: RowPlace?
  }

  /// The index of an object among the named objects of a row.
  private struct RowPlace {
    let row: RowName
    let index: Int
  }

  private struct RowName: Hashable {
    let table: String
    let row: String
  }

  private var byObject: [ObjectIdentifier: Entry] = [:]
  private var byName: [String: Entry] = [:]
  /// The names in each row, as last drawn.
  private var byRow: [RowName: [String]] = [:]
  private var drawnRow: RowName?
  private var last = 0

  func name(for object: AnyObject) -> String {
    // An address can be reused after its object is deallocated; the entry's object is nil then.
    if let known = byObject[ObjectIdentifier(object)], known.object === object {
      if !isInAnotherRow(known.name) {
        notePlace(of: known.name)
        return known.name
      }
      // The cell was reused for another row. An event that is on its way means its previous row:
      // the old name must no longer find the object.
      byName[known.name]?.object = nil
    }
    if byName.count > 4096 { forgetTheGone() }
    last += 1
    let entry = Entry(object: object, name: "e\(last)")
    byObject[ObjectIdentifier(object)] = entry
    byName[entry.name] = entry
    notePlace(of: entry.name)
    return entry.name
  }

  /// Draws a row of a table. Names that `body` asks for belong to the row.
  func drawing<Result>(_ row: String, of table: ListView, by body: () -> Result) -> Result {
    let name = RowName(table: name(for: table), row: row)
    byRow[name] = []
    drawnRow = name
    defer { drawnRow = nil }
    return body()
  }

  private func isInAnotherRow(_ name: String) -> Bool {
    guard let drawnRow, let place = byName[name]?.place else { return false }
    return place.row != drawnRow
  }

  private func notePlace(of name: String) {
    guard let row = drawnRow, byRow[row]?.contains(name) == false else { return }
    byName[name]?.place = RowPlace(row: row, index: byRow[row]?.count ?? 0)
    byRow[row]?.append(name)
  }

  func object<Object>(named name: String?, as type: Object.Type = Object.self) -> Object? {
    // In two steps: in a single expression the optimizer casts a deallocated object.
    guard let name, let object = byName[name]?.object else { return nil }
    return object as? Object
  }

  /// The visible view of a name. If it was in a row and is gone, the view at its index in the row's
  /// current drawing.
  func shownView(named name: String?) -> UIView? {
    if let view = object(named: name, as: UIView.self), view.window != nil { return view }
    guard let place = name.flatMap({ byName[$0]?.place }), let names = byRow[place.row],
      names.indices.contains(place.index),
      let view = object(named: names[place.index], as: UIView.self), view.window != nil
    else { return nil }
    return view
  }

  private func forgetTheGone() {
    let drawn = Set(byRow.values.joined())
    byName = byName.filter { $0.value.object != nil || drawn.contains($0.key) }
    byObject = byObject.filter { $0.value.object != nil }
    byRow = byRow.filter { $0.value.contains { byName[$0]?.object != nil } }
  }
}
