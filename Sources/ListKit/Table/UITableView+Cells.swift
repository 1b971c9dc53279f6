import Foundation

extension UITableView {
  /// Registers the class of the cells of an identifier; `nil` unregisters it.
  public func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {
    guard let cellClass else {
      cellClasses[identifier] = nil
      return
    }
    guard let type = cellClass as? UITableViewCell.Type else {
      fatalError("\(cellClass) was registered for cells, and is no subclass of UITableViewCell")
    }
    cellClasses[identifier] = type
  }

  /// A cell of this identifier that is out of use, or a new one; `nil` when no class is registered.
  public func dequeueReusableCell(withIdentifier identifier: String) -> UITableViewCell? {
    if let cell = idleCells[identifier]?.popLast() {
      cell.prepareForReuse()
      return cell
    }
    let registration = CellRegistration(style: .default, reuseIdentifier: identifier)
    return cellClasses[identifier]?.init(registration: registration)
  }

  /// A cell for the row that the data source is asked for. Always one: an identifier without a
  /// class is a programmer's error.
  public func dequeueReusableCell(
    withIdentifier identifier: String, for indexPath: IndexPath
  ) -> UITableViewCell {
    if let dequeued, dequeued.path == indexPath {
      fatalError(
        "Attempted to dequeue multiple cells for the same index path, which is not allowed. If "
          + "you really need to dequeue more cells than the table view is requesting, use the "
          + "-dequeueReusableCellWithIdentifier: method (without an index path). Cell identifier: "
          + "\(identifier), index path: \(indexPath.object)")
    }
    guard let cell = dequeueReusableCell(withIdentifier: identifier) else {
      fatalError(
        "unable to dequeue a cell with identifier \(identifier) - must register a nib or a class "
          + "for the identifier or connect a prototype cell in a storyboard")
    }
    dequeued = (indexPath, identifier)
    return cell
  }

  /// The row with a cell from the data source.
  func makeRow(at path: IndexPath) -> TableRow {
    guard let dataSource else { fatalError("A table view with rows has no data source") }
    dequeued = nil
    defer { dequeued = nil }
    let cell = dataSource.tableView(self, cellForRowAt: path)
    cell.isSelected = selected.contains(path)
    cell.isEditing = isEditing
    delegate?.tableView(self, willDisplay: cell, forRowAt: path)
    addSubview(cell)
    return TableRow(id: identifier(at: path), indexPath: path, cell: cell)
  }

  /// Puts the cell of a row that left the window by for reuse.
  func retire(_ row: TableRow) {
    row.cell.removeFromSuperview()
    delegate?.tableView(self, didEndDisplaying: row.cell, forRowAt: row.indexPath)
    if let identifier = row.cell.reuseIdentifier {
      idleCells[identifier, default: []].append(row.cell)
    }
  }

  /// The data source's name for the row, or a new one.
  private func identifier(at path: IndexPath) -> String {
    if let name = dataSource?.tableView(self, identifierForRowAt: path),
      !rows.contains(where: { $0.id == name })
    {
      return name
    }
    lastRowID += 1
    return "r\(lastRowID)"
  }
}
