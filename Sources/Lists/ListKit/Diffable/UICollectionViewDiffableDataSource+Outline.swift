import Foundation
import ListSnapshots

/// Sections whose items form an outline.
///
///     var outline = NSDiffableDataSourceSectionSnapshot<String>()
///     outline.append(["Fruit"])
///     outline.append(["Apple", "Pear"], to: "Fruit")
///     dataSource.apply(outline, to: .all)
///
/// The list shows the items whose ancestors are all expanded. Applying a snapshot of the whole list
/// keeps the tree of a section whose visible items it leaves as they are; other items make the
/// section flat.
extension UICollectionViewDiffableDataSource {
  /// A tree of this data source's items.
  public typealias SectionSnapshot = NSDiffableDataSourceSectionSnapshot<ItemIdentifierType>

  /// Handlers that decide about and hear of the user expanding and collapsing items. Applying a
  /// snapshot in code calls none of them.
  ///
  /// Source: UIKit, `UICollectionViewDiffableDataSource.SectionSnapshotHandlers`.
  public struct SectionSnapshotHandlers<Item: Hashable & Sendable> {
    /// Whether the user may expand an item; `nil` permits all.
    public var shouldExpandItem: (@MainActor (Item) -> Bool)?
    /// Called before an item is expanded for the user.
    public var willExpandItem: (@MainActor (Item) -> Void)?
    /// Whether the user may collapse an item; `nil` permits all.
    public var shouldCollapseItem: (@MainActor (Item) -> Bool)?
    /// Called before an item is collapsed for the user.
    public var willCollapseItem: (@MainActor (Item) -> Void)?
    /// Returns the children of an item that is being expanded, so that they can be loaded on
    /// demand.
    public var snapshotForExpandingParent:
      (
        @MainActor (
          _ parent: Item, _ currentChildSnapshot: NSDiffableDataSourceSectionSnapshot<Item>
        ) -> NSDiffableDataSourceSectionSnapshot<Item>
      )?

    /// Makes handlers that permit everything.
    public init() {}
  }

  // MARK: Snapshots

  /// Shows a section's items as a tree. Appends a section that does not exist yet. Traps for an
  /// item that is in another section.
  public func apply(
    _ snapshot: NSDiffableDataSourceSectionSnapshot<ItemIdentifierType>,
    to section: SectionIdentifierType, animatingDifferences: Bool = true,
    completion: (@MainActor () -> Void)? = nil
  ) {
    var whole = current
    if whole.indexOfSection(section) == nil { whole.appendSections([section]) }
    let shown = snapshot.visibleItems
    let elsewhere = shown.filter { item in
      whole.sectionIdentifier(containingItem: item).map { $0 != section } ?? false
    }
    guard elsewhere.isEmpty else {
      fatalError(
        "An item is in one section only. The section snapshot for \(section) has items of other "
          + "sections: \(elsewhere)")
    }
    whole.deleteItems(whole.itemIdentifiers(inSection: section))
    whole.appendItems(shown, toSection: section)
    outlines[section] = snapshot
    apply(whole, animatingDifferences: animatingDifferences, completion: completion)
  }

  /// Shows a section's items as a tree; returns when the list shows it.
  public func apply(
    _ snapshot: NSDiffableDataSourceSectionSnapshot<ItemIdentifierType>,
    to section: SectionIdentifierType, animatingDifferences: Bool = true
  ) async {
    apply(
      snapshot, to: section, animatingDifferences: animatingDifferences, completion: nil)
  }

  /// The tree of a section, with hidden items; flat for a section without a tree, empty for one
  /// that does not exist.
  public func snapshot(
    for section: SectionIdentifierType
  ) -> NSDiffableDataSourceSectionSnapshot<ItemIdentifierType> {
    if let outline = outlines[section] { return outline }
    var flat = SectionSnapshot()
    if current.indexOfSection(section) != nil {
      flat.append(current.itemIdentifiers(inSection: section))
    }
    return flat
  }

  // MARK: User events

  private func expand(_ item: ItemIdentifierType, _ section: SectionIdentifierType) {
    let handlers = sectionSnapshotHandlers
    guard handlers.shouldExpandItem?(item) ?? true else { return }
    handlers.willExpandItem?(item)
    // The handlers may have applied another tree.
    guard var outline = outlines[section], outline.contains(item) else { return }
    if let children = handlers.snapshotForExpandingParent?(item, outline.snapshot(of: item)) {
      outline.replace(childrenOf: item, using: children)
    }
    outline.expand([item])
    apply(outline, to: section)
  }

  private func collapse(_ item: ItemIdentifierType, _ section: SectionIdentifierType) {
    let handlers = sectionSnapshotHandlers
    guard handlers.shouldCollapseItem?(item) ?? true else { return }
    handlers.willCollapseItem?(item)
    guard var outline = outlines[section], outline.contains(item) else { return }
    outline.collapse([item])
    apply(outline, to: section)
  }
}

extension UICollectionViewDiffableDataSource: OutlineSource {
  private func outlineItem(
    at path: IndexPath
  ) -> (item: ItemIdentifierType, section: SectionIdentifierType, outline: SectionSnapshot)? {
    guard let section = sectionIdentifier(for: path.section), let outline = outlines[section],
      let item = itemIdentifier(for: path), outline.contains(item)
    else { return nil }
    return (item, section, outline)
  }

  func outlinePlace(at path: IndexPath) -> OutlinePlace? {
    outlineItem(at: path).map { item, _, outline in
      OutlinePlace(level: outline.level(of: item), isExpanded: outline.isExpanded(item))
    }
  }

  func outlineParent(of path: IndexPath) -> IndexPath? {
    outlineItem(at: path).flatMap { $0.outline.parent(of: $0.item) }.flatMap { indexPath(for: $0) }
  }

  func toggleItem(at path: IndexPath) {
    guard let (item, section, outline) = outlineItem(at: path) else { return }
    if outline.isExpanded(item) { collapse(item, section) } else { expand(item, section) }
  }
}
