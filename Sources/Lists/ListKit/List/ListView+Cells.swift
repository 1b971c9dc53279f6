import Foundation

extension ListView {
  /// A cell of the reuse pool, prepared for reuse; `nil` when the pool has none.
  func idleCell(_ identifier: String) -> ListCell? {
    let cell = idleCells[identifier]?.popLast()
    cell?.prepareForReuse()
    return cell
  }

  /// The row at a path, with its cell.
  func makeRow(at path: IndexPath) -> ListRow {
    let cell = makeCell(at: path)
    return ListRow(id: identifier(of: cell, at: path), indexPath: path, cell: cell)
  }

  /// Makes the cell of a row, from the data source.
  func makeCell(at path: IndexPath) -> ListCell {
    dequeued = nil
    defer { dequeued = nil }
    let cell = askCell(at: path)
    cell.isSelected = selected.contains(path)
    cell.isEditing = isEditing
    cell.runConfigurationUpdate()
    willDisplay(cell, at: path)
    addSubview(cell)
    return cell
  }

  /// Removes the cell of a row that left the window, and adds it to the reuse pool.
  func retire(_ row: ListRow) {
    row.cell.removeFromSuperview()
    didEndDisplaying(row.cell, at: row.indexPath)
    keepForReuse(row.cell)
  }

  func keepForReuse(_ cell: ListCell) {
    if let key = cell.reuseKey { idleCells[key, default: []].append(cell) }
  }

  /// The name that the data source gives the row, or the cell the screen that it leads to; a new
  /// one if there is none or the name is in use.
  private func identifier(of cell: ListCell, at path: IndexPath) -> String {
    let name =
      askIdentifier(at: path) ?? ownRows[ObjectIdentifier(cell)] ?? cell.restorationIdentifier
    if let name, !rows.contains(where: { $0.id == name }) { return name }
    lastRowID += 1
    return "\(Self.ownNames)\(lastRowID)"
  }

  /// The beginning of the names of rows that have none in other windows.
  private static let ownNames = "row-"

  /// Whether another list may have another row of this name.
  package static func isOwnName(_ name: String) -> Bool { name.hasPrefix(ownNames) }
}
