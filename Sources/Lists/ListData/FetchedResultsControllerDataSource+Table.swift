import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

extension FetchedResultsControllerDataSource: UITableViewDataSource {
  /// The number of the controller's sections.
  public func numberOfSections(in tableView: UITableView) -> Int {
    fetchedResultsController?.sections?.count ?? 0
  }

  /// The number of the controller's objects in a section.
  public func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    fetchedResultsController?.sections?[section].numberOfObjects ?? 0
  }

  /// Returns a cell that the delegate has configured with the object.
  public func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: reuseIdentifier, for: indexPath)
    if let object = object(at: indexPath) { delegate?.configure(cell, with: object) }
    return cell
  }

  /// The name of a section; `nil` without a section name key path.
  public func tableView(
    _ tableView: UITableView, titleForHeaderInSection section: Int
  ) -> String? {
    sectionName(section)
  }

  /// The controller's index titles; `nil` without a section name key path.
  public func sectionIndexTitles(for tableView: UITableView) -> [String]? {
    guard fetchedResultsController?.sectionNameKeyPath != nil else { return nil }
    return fetchedResultsController?.sectionIndexTitles
  }

  /// Returns the controller's section for an index title.
  public func tableView(
    _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
  ) -> Int {
    fetchedResultsController?.section(forSectionIndexTitle: title, at: index) ?? index
  }

  /// Returns true: rows can be deleted.
  public func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
    true
  }

  /// Lets the delegate delete the object of a row.
  public func tableView(
    _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
    forRowAt indexPath: IndexPath
  ) {
    guard editingStyle == .delete, let object = object(at: indexPath) else { return }
    delegate?.delete(object)
  }

  /// Whether the user can move a row: as the delegate's `canMove(_:)` says.
  public func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
    object(at: indexPath).map { delegate?.canMove($0) ?? false } ?? false
  }

  /// Lets the delegate move the object after the user has moved its row.
  public func tableView(
    _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  ) {
    guard let object = object(at: sourceIndexPath) else { return }
    follow(moveFrom: sourceIndexPath, to: destinationIndexPath) {
      delegate?.move(object, from: sourceIndexPath, to: destinationIndexPath)
    }
  }
}
