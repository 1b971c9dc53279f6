import Foundation
import ListSnapshots

/// A table's data source that supplies rows from snapshots. It compares each snapshot with the one
/// before and applies the difference as one batch of updates.
///
///     dataSource = UITableViewDiffableDataSource(tableView: tableView) { table, path, id in … }
///     dataSource.apply(snapshot)
///
/// Source: UIKit, `UITableViewDiffableDataSource`. The renderer decides about animations. A fetched
/// results controller passes its snapshots as references: UIKit's `apply(snapshot as
/// NSDiffableDataSourceSnapshot<String, NSManagedObjectID>)` is written
/// `apply(NSDiffableDataSourceSnapshot<String, NSManagedObjectID>(snapshot))` here.
@MainActor
open class UITableViewDiffableDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: DiffableListDataSource<SectionIdentifierType, ItemIdentifierType>, UITableViewDataSource {
  /// Returns the cell for a row. Returning `nil` traps.
  public typealias CellProvider =
    @MainActor (
      _ tableView: UITableView, _ indexPath: IndexPath, _ itemIdentifier: ItemIdentifierType
    ) -> UITableViewCell?

  /// The animation of changed rows. Stored and not used.
  open var defaultRowAnimation = UITableView.RowAnimation.automatic
  private let cellProvider: CellProvider

  /// Makes a data source and sets it as the table's.
  public init(tableView: UITableView, cellProvider: @escaping CellProvider) {
    self.cellProvider = cellProvider
    super.init(list: tableView)
    tableView.dataSource = self
  }

  // MARK: Table view data source

  /// The number of sections in the snapshot.
  open func numberOfSections(in tableView: UITableView) -> Int { current.numberOfSections }

  /// The number of rows of a section in the snapshot.
  open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    current.numberOfItems(inSection: current.sectionIdentifiers[section])
  }

  /// Returns the cell provider's cell.
  open func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    provided(cellProvider(tableView, indexPath, item(at: indexPath)), for: indexPath)
  }

  /// Returns `nil`. Override it for headers.
  open func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
    nil
  }
  /// Returns `nil`. Override it for footers.
  open func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? {
    nil
  }
  /// Returns `nil`. Override it for an index.
  open func sectionIndexTitles(for tableView: UITableView) -> [String]? { nil }
  /// Returns the index itself. Override it for an index.
  open func tableView(
    _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
  ) -> Int { index }
  /// Returns false. Override it to let rows be edited.
  open func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
    false
  }
  /// Returns false. Override it to let rows be moved.
  open func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
    false
  }
  /// Does nothing. Override it to delete rows.
  open func tableView(
    _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
    forRowAt indexPath: IndexPath
  ) {}
  /// Does nothing. Override it to move rows.
  open func tableView(
    _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  ) {}
  /// Returns `nil`: the table makes names up.
  open func tableView(
    _ tableView: UITableView, identifierForRowAt indexPath: IndexPath
  ) -> String? { nil }
}
