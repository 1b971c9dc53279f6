import Foundation

extension UITableView {
  /// Registers the class of cells for an identifier; `nil` unregisters it. Traps for a class that
  /// is no subclass of `UITableViewCell`.
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

  /// Returns an unused cell of this identifier, or a new one; `nil` when no class is registered.
  public func dequeueReusableCell(withIdentifier identifier: String) -> UITableViewCell? {
    if let cell = idleCell(identifier) as? UITableViewCell { return cell }
    let registration = CellRegistration(style: .default, reuseIdentifier: identifier)
    return cellClasses[identifier]?.init(registration: registration)
  }

  /// Returns a cell for the row that the data source is asked for, reused or made. Traps for an
  /// identifier without a class, and when the path already has a cell.
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
}
