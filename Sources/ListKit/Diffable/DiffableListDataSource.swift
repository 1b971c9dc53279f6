import Foundation
import ListSnapshots

/// What the diffable data sources of tables and collections share: each snapshot is compared with
/// the one before, and what has changed is one batch of updates.
///
/// Not in UIKit by this name.
@MainActor
open class DiffableListDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: NSObject {
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

  /// What the list shows. Marks of what is to be reloaded are not kept.
  open func snapshot() -> Snapshot { current }

  /// Shows another snapshot, with one batch of updates.
  open func apply(
    _ snapshot: Snapshot, animatingDifferences: Bool = true,
    completion: (@MainActor () -> Void)? = nil
  ) {
    precondition(!isApplying, "A snapshot was applied while another one is being applied")
    isApplying = true
    let difference = SnapshotDifference(from: current, to: snapshot)
    // The list learns the counts before the batch while the source still says the old ones.
    _ = list?.numberOfSections
    current = Self.withoutMarks(snapshot)
    currentChanged()
    if let list { difference.apply(to: list) }
    currentShown()
    isApplying = false
    completion?()
  }

  /// Shows another snapshot; returns when that has been done.
  open func apply(_ snapshot: Snapshot, animatingDifferences: Bool = true) async {
    apply(snapshot, animatingDifferences: animatingDifferences, completion: nil)
  }

  /// Shows another snapshot with all cells asked for anew.
  open func applySnapshotUsingReloadData(
    _ snapshot: Snapshot, completion: (@MainActor () -> Void)? = nil
  ) {
    current = Self.withoutMarks(snapshot)
    currentChanged()
    list?.reloadData()
    completion?()
  }

  /// Another snapshot is about to be shown.
  func currentChanged() {}
  /// The list shows it.
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

  // MARK: Identifiers and places

  open func itemIdentifier(for indexPath: IndexPath) -> ItemIdentifierType? {
    let sections = current.sectionIdentifiers
    guard sections.indices.contains(indexPath.section) else { return nil }
    let items = current.itemIdentifiers(inSection: sections[indexPath.section])
    return items.indices.contains(indexPath.row) ? items[indexPath.row] : nil
  }

  open func indexPath(for itemIdentifier: ItemIdentifierType) -> IndexPath? {
    guard let section = current.sectionIdentifier(containingItem: itemIdentifier),
      let index = current.indexOfSection(section),
      let row = current.itemIdentifiers(inSection: section).firstIndex(of: itemIdentifier)
    else { return nil }
    return IndexPath(row: row, section: index)
  }

  open func sectionIdentifier(for index: Int) -> SectionIdentifierType? {
    let sections = current.sectionIdentifiers
    return sections.indices.contains(index) ? sections[index] : nil
  }

  open func index(for sectionIdentifier: SectionIdentifierType) -> Int? {
    current.indexOfSection(sectionIdentifier)
  }

  /// The item of a place that the list asks for.
  func item(at path: IndexPath) -> ItemIdentifierType {
    guard let item = itemIdentifier(for: path) else {
      fatalError("The snapshot has no item at section \(path.section), item \(path.item)")
    }
    return item
  }

  /// What the cell provider has made for a place.
  func provided<Cell>(_ cell: Cell?, for path: IndexPath) -> Cell {
    guard let cell else {
      fatalError("The cell provider of a diffable data source returned nil for index path \(path)")
    }
    return cell
  }
}
