import ListKit

/// Names for the objects behind what a page shows, so that an event says which one it means.
///
/// A row that is drawn anew has other controls. What the user does with one of those that the page has still is meant for
/// the control in its place in the row.
///
/// Owned by one window session. Objects are held weakly: an event for one that is gone finds
/// nothing.
@MainActor
final class ElementNames {
  private struct Entry {
    weak var object: AnyObject?
    let name: String
    /// Of what is in a row.
    var place: RowPlace?
  }

  /// The how-manieth object in a row.
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
  /// What is in each row, as it was drawn last.
  private var byRow: [RowName: [String]] = [:]
  private var drawnRow: RowName?
  private var last = 0

  func name(for object: AnyObject) -> String {
    // An address is used again after its object is gone; then the entry's object is nil.
    if let known = byObject[ObjectIdentifier(object)], known.object === object {
      if !isInAnotherRow(known.name) {
        notePlace(of: known.name)
        return known.name
      }
      // Cells are used again: an event on its way means the row that it was in.
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

  /// Draws a row of a table: what is named meanwhile is in it.
  func drawing<Result>(_ row: String, of table: ListView, _ body: () -> Result) -> Result {
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
    // In steps: in one expression the optimizer casts an object that is gone.
    guard let name, let object = byName[name]?.object else { return nil }
    return object as? Object
  }

  /// The same for a view that is shown; of one that was in a row, what is in its place there now.
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
