import Foundation

extension ListView {
  /// A cell of the reuse pool, prepared for reuse; `nil` when the pool has none.
  func idleCell(_ identifier: String) -> ListCell? {
    let cell = idleCells[identifier]?.popLast()
    cell?.prepareForReuse()
    return cell
  }

  /// The row at a path, with its cell and a name that neither `rows` nor others have.
  func makeRow(at path: IndexPath, besides others: some Collection<ListRow>) -> ListRow {
    let cell = makeCell(at: path)
    if let name = givenName(of: cell, at: path), !rows.contains(where: { $0.id == name }),
      !others.contains(where: { $0.id == name })
    {
      return ListRow(id: name, indexPath: path, cell: cell)
    }
    lastRowID += 1
    return ListRow(id: "\(Self.ownNames)\(lastRowID)", indexPath: path, cell: cell)
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

  /// The name that the data source gives the row, or the cell the screen that it leads to.
  private func givenName(of cell: ListCell, at path: IndexPath) -> String? {
    askIdentifier(at: path) ?? ownRows[ObjectIdentifier(cell)] ?? cell.restorationIdentifier
  }

  /// The beginning of the names of rows that have none in other windows.
  private static let ownNames = "row-"

  /// Whether another list may have another row of this name.
  package static func isOwnName(_ name: String) -> Bool { name.hasPrefix(ownNames) }
}
