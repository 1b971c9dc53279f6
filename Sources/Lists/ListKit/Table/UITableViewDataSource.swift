import Foundation

/// Supplies a table with rows and cells. Two methods are required; the others have defaults.
///
/// Source: UIKit, `UITableViewDataSource`. Without the Objective-C runtime a table cannot find out
/// whether an optional method is implemented, from which UIKit derives some answers. They must be
/// given explicitly: `canEditRowAt` and `canMoveRowAt` are false by default.
@MainActor
public protocol UITableViewDataSource: AnyObject {
  /// The number of sections; 1 by default.
  func numberOfSections(in tableView: UITableView) -> Int
  /// The number of rows in a section.
  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
  /// Returns the cell for a row, dequeued from the table.
  func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell

  /// The title of a section's header; `nil` (the default) is none.
  func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String?
  /// The title of a section's footer; `nil` (the default) is none.
  func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String?
  /// The titles of the index beside the table; `nil` (the default) is none.
  func sectionIndexTitles(for tableView: UITableView) -> [String]?
  /// The section that a title of the index leads to; by default the one of the same number.
  func tableView(
    _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
  ) -> Int

  /// Whether the user can edit a row; false by default.
  func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool
  /// Whether the user can move a row; false by default.
  func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool
  /// Deletes a row, or inserts one, for the user: changes the model and updates the table. Does
  /// nothing by default.
  func tableView(
    _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
    forRowAt indexPath: IndexPath)
  /// Moves a row in the model after the user has moved it in the table. Does nothing by default.
  func tableView(
    _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath)

  /// A name for the row that moves and reloads do not change, unique in the table; with `nil` (the
  /// default) the table makes one. Not in UIKit.
  func tableView(_ tableView: UITableView, identifierForRowAt indexPath: IndexPath) -> String?
}

extension UITableViewDataSource {
  /// Returns 1.
  public func numberOfSections(in tableView: UITableView) -> Int { 1 }
  /// Returns `nil`.
  public func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
    nil
  }
  /// Returns `nil`.
  public func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? {
    nil
  }
  /// Returns `nil`.
  public func sectionIndexTitles(for tableView: UITableView) -> [String]? { nil }
  /// Returns the index itself.
  public func tableView(
    _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
  ) -> Int { index }
  /// Returns false.
  public func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
    false
  }
  /// Returns false.
  public func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
    false
  }
  /// Does nothing.
  public func tableView(
    _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
    forRowAt indexPath: IndexPath
  ) {}
  /// Does nothing.
  public func tableView(
    _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  ) {}
  /// Returns `nil`.
  public func tableView(_ tableView: UITableView, identifierForRowAt indexPath: IndexPath)
    -> String?
  { nil }
}
