import Foundation

extension ListView {
  /// A cell that is out of use, under what it was registered by.
  func idleCell(_ identifier: String) -> ListCell? {
    let cell = idleCells[identifier]?.popLast()
    cell?.prepareForReuse()
    return cell
  }

  /// The row with a cell from the data source.
  func makeRow(at path: IndexPath) -> ListRow {
    dequeued = nil
    defer { dequeued = nil }
    let cell = askCell(at: path)
    cell.isSelected = selected.contains(path)
    cell.isEditing = isEditing
    cell.runConfigurationUpdate()
    willDisplay(cell, at: path)
    addSubview(cell)
    return ListRow(id: identifier(at: path), indexPath: path, cell: cell)
  }

  /// Puts the cell of a row that left the window by for reuse.
  func retire(_ row: ListRow) {
    row.cell.removeFromSuperview()
    didEndDisplaying(row.cell, at: row.indexPath)
    keepForReuse(row.cell)
  }

  func keepForReuse(_ cell: ListCell) {
    if let key = cell.reuseKey { idleCells[key, default: []].append(cell) }
  }

  /// The data source's name for the row, or a new one.
  private func identifier(at path: IndexPath) -> String {
    if let name = askIdentifier(at: path), !rows.contains(where: { $0.id == name }) {
      return name
    }
    lastRowID += 1
    return "r\(lastRowID)"
  }
}
