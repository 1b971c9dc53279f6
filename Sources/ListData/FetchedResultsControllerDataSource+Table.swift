import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

extension FetchedResultsControllerDataSource: UITableViewDataSource {
  public func numberOfSections(in tableView: UITableView) -> Int {
    fetchedResultsController?.sections?.count ?? 0
  }

  public func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    counts[section]
  }

  public func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: reuseIdentifier, for: indexPath)
    if let object = object(at: indexPath) { delegate?.configure(cell, with: object) }
    return cell
  }

  public func tableView(
    _ tableView: UITableView, titleForHeaderInSection section: Int
  ) -> String? {
    sectionName(section)
  }

  public func sectionIndexTitles(for tableView: UITableView) -> [String]? {
    guard fetchedResultsController?.sectionNameKeyPath != nil else { return nil }
    return fetchedResultsController?.sectionIndexTitles
  }

  public func tableView(
    _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
  ) -> Int {
    fetchedResultsController?.section(forSectionIndexTitle: title, at: index) ?? index
  }

  public func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
    true
  }

  public func tableView(
    _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
    forRowAt indexPath: IndexPath
  ) {
    guard editingStyle == .delete, let object = object(at: indexPath) else { return }
    delegate?.delete(object)
  }

  public func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
    object(at: indexPath).map { delegate?.canMove($0) ?? false } ?? false
  }

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
