import Foundation
import ListSnapshots

/// Common superclass of the diffable data sources of tables and collections. It compares each
/// snapshot with the one before and applies the difference as one batch of updates.
///
/// Not in UIKit by this name.
@MainActor
open class DiffableListDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: NSObject {
  /// A snapshot of this data source's identifiers.
  public typealias Snapshot = NSDiffableDataSourceSnapshot<
    SectionIdentifierType, ItemIdentifierType
  >

  weak var list: ListView?
  var current = Snapshot()
  private var isApplying = false

  init(list: ListView) {
    self.list = list
    super.init()
  }

  // MARK: Snapshots

  /// The snapshot that the list shows, without its marks of items and sections to reload.
  open func snapshot() -> Snapshot { current }

  /// Shows another snapshot by one batch of updates. Traps while another snapshot is being applied.
  open func apply(
    _ snapshot: Snapshot, animatingDifferences: Bool = true,
    completion: (@MainActor () -> Void)? = nil
  ) {
    precondition(!isApplying, "A snapshot was applied while another one is being applied")
    isApplying = true
    let difference = SnapshotDifference(from: current, to: snapshot)
    // The list must read the old counts before `current` changes: the batch is validated against
    // them.
    _ = list?.numberOfSections
    current = Self.withoutMarks(snapshot)
    currentChanged()
    if let list { difference.apply(to: list) }
    currentShown()
    isApplying = false
    completion?()
  }

  /// Shows another snapshot; returns when the list shows it.
  open func apply(_ snapshot: Snapshot, animatingDifferences: Bool = true) async {
    apply(snapshot, animatingDifferences: animatingDifferences, completion: nil)
  }

  /// Shows another snapshot by reloading the list with new cells.
  open func applySnapshotUsingReloadData(
    _ snapshot: Snapshot, completion: (@MainActor () -> Void)? = nil
  ) {
    current = Self.withoutMarks(snapshot)
    currentChanged()
    list?.reloadData()
    completion?()
  }

  /// Called after `current` was set, before the list is updated.
  func currentChanged() {}
  /// Called when the list shows `current`.
  func currentShown() {}

  private static func withoutMarks(_ snapshot: Snapshot) -> Snapshot {
    guard
      !snapshot.reloadedItemIdentifiers.isEmpty || !snapshot.reconfiguredItemIdentifiers.isEmpty
        || !snapshot.reloadedSectionIdentifiers.isEmpty
    else { return snapshot }
    var plain = Snapshot()
    for section in snapshot.sectionIdentifiers {
      plain.appendSections([section])
      plain.appendItems(snapshot.itemIdentifiers(inSection: section), toSection: section)
    }
    return plain
  }

  // MARK: Identifiers and paths

  /// The item at a path; `nil` outside of the snapshot.
  open func itemIdentifier(for indexPath: IndexPath) -> ItemIdentifierType? {
    let sections = current.sectionIdentifiers
    guard sections.indices.contains(indexPath.section) else { return nil }
    let items = current.itemIdentifiers(inSection: sections[indexPath.section])
    return items.indices.contains(indexPath.row) ? items[indexPath.row] : nil
  }

  /// The path of an item; `nil` for one that is not in the snapshot. O(items of the section).
  open func indexPath(for itemIdentifier: ItemIdentifierType) -> IndexPath? {
    guard let section = current.sectionIdentifier(containingItem: itemIdentifier),
      let index = current.indexOfSection(section),
      let row = current.itemIdentifiers(inSection: section).firstIndex(of: itemIdentifier)
    else { return nil }
    return IndexPath(row: row, section: index)
  }

  /// The section at an index; `nil` outside of the snapshot.
  open func sectionIdentifier(for index: Int) -> SectionIdentifierType? {
    let sections = current.sectionIdentifiers
    return sections.indices.contains(index) ? sections[index] : nil
  }

  /// The index of a section; `nil` for one that is not in the snapshot.
  open func index(for sectionIdentifier: SectionIdentifierType) -> Int? {
    current.indexOfSection(sectionIdentifier)
  }

  /// The item at a path that the list has asked for. Traps outside of the snapshot.
  func item(at path: IndexPath) -> ItemIdentifierType {
    guard let item = itemIdentifier(for: path) else {
      fatalError("The snapshot has no item at section \(path.section), item \(path.item)")
    }
    return item
  }

  /// The cell provider's cell. Traps for `nil`.
  func provided<Cell>(_ cell: Cell?, for path: IndexPath) -> Cell {
    guard let cell else {
      fatalError("The cell provider of a diffable data source returned nil for index path \(path)")
    }
    return cell
  }
}
