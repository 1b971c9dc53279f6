import Foundation
import ListSnapshots

/// Sections whose items stand under one another.
///
///     var outline = NSDiffableDataSourceSectionSnapshot<String>()
///     outline.append(["Fruit"])
///     outline.append(["Apple", "Pear"], to: "Fruit")
///     dataSource.apply(outline, to: .all)
///
/// The list shows the items all parents of which are expanded. A snapshot of the whole that leaves a
/// section's shown items as they are keeps its tree; one that says other items makes the section
/// flat.
extension UICollectionViewDiffableDataSource {
  public typealias SectionSnapshot = NSDiffableDataSourceSectionSnapshot<ItemIdentifierType>

  /// Asked and told when the user opens or closes an item; what is applied in code calls none of
  /// these.
  ///
  /// Source: UIKit, `UICollectionViewDiffableDataSource.SectionSnapshotHandlers`.
  public struct SectionSnapshotHandlers<Item: Hashable & Sendable> {
    public var shouldExpandItem: (@MainActor (Item) -> Bool)?
    public var willExpandItem: (@MainActor (Item) -> Void)?
    public var shouldCollapseItem: (@MainActor (Item) -> Bool)?
    public var willCollapseItem: (@MainActor (Item) -> Void)?
    /// What stands under an item that is being opened, so that it need not be known before.
    public var snapshotForExpandingParent:
      (
        @MainActor (
          _ parent: Item, _ currentChildSnapshot: NSDiffableDataSourceSectionSnapshot<Item>
        ) -> NSDiffableDataSourceSectionSnapshot<Item>
      )?

    public init() {}
  }

  // MARK: Snapshots

  /// Shows a section's items as a tree; the section is appended when there is none of that name.
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

  /// Shows a section's items as a tree; returns when that has been done.
  public func apply(
    _ snapshot: NSDiffableDataSourceSectionSnapshot<ItemIdentifierType>,
    to section: SectionIdentifierType, animatingDifferences: Bool = true
  ) async {
    apply(
      snapshot, to: section, animatingDifferences: animatingDifferences, completion: nil)
  }

  /// The items of a section, those that are hidden too; empty for a section that is not there.
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

  // MARK: The user

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
