import Foundation
import ListSnapshots

/// A collection's data source that supplies items from snapshots. It compares each snapshot with
/// the one before and applies the difference as one batch of updates.
///
///     dataSource = UICollectionViewDiffableDataSource(collectionView: view) { view, path, id in
///       view.dequeueConfiguredReusableCell(using: registration, for: path, item: id)
///     }
///     dataSource.apply(snapshot)
///
/// Source: UIKit, `UICollectionViewDiffableDataSource`.
@MainActor
open class UICollectionViewDiffableDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: DiffableListDataSource<SectionIdentifierType, ItemIdentifierType>, UICollectionViewDataSource {
  /// Returns the cell for an item. Returning `nil` traps.
  public typealias CellProvider =
    @MainActor (
      _ collectionView: UICollectionView, _ indexPath: IndexPath,
      _ itemIdentifier: ItemIdentifierType
    ) -> UICollectionViewCell?
  /// Returns a header or a footer. Returning `nil` traps.
  public typealias SupplementaryViewProvider =
    @MainActor (
      _ collectionView: UICollectionView, _ elementKind: String, _ indexPath: IndexPath
    ) -> UICollectionReusableView?

  /// Handlers of the user's moves.
  ///
  /// Source: UIKit, `UICollectionViewDiffableDataSource.ReorderingHandlers`.
  public struct ReorderingHandlers {
    /// Whether the user can move an item; with `nil` none can be moved.
    public var canReorderItem: (@MainActor (ItemIdentifierType) -> Bool)?
    /// Called before the snapshot changes for a move.
    public var willReorder: (@MainActor (Transaction) -> Void)?
    /// Called when the snapshot has changed for a move. Update the model here.
    public var didReorder: (@MainActor (Transaction) -> Void)?
  }

  /// The change of a move.
  public typealias Transaction = NSDiffableDataSourceTransaction<
    SectionIdentifierType, ItemIdentifierType
  >

  /// Supplies the headers and footers that the layout has.
  open var supplementaryViewProvider: SupplementaryViewProvider?
  /// Handlers of the user's moves. Without `canReorderItem` the user can move no item.
  open var reorderingHandlers = ReorderingHandlers()
  /// Handlers of the user expanding and collapsing items; see `apply(_:to:)`.
  open var sectionSnapshotHandlers = SectionSnapshotHandlers<ItemIdentifierType>()
  /// The trees, by section. A flat section has none.
  var outlines: [SectionIdentifierType: SectionSnapshot] = [:]
  private let cellProvider: CellProvider

  /// Makes a data source and sets it as the collection's.
  public init(collectionView: UICollectionView, cellProvider: @escaping CellProvider) {
    self.cellProvider = cellProvider
    super.init(list: collectionView)
    collectionView.dataSource = self
  }

  var collectionView: UICollectionView? { list as? UICollectionView }

  override func currentChanged() {
    outlines = outlines.filter { section, outline in
      current.indexOfSection(section) != nil
        && current.itemIdentifiers(inSection: section) == outline.visibleItems
    }
  }

  override func currentShown() { collectionView?.showOutline() }

  // MARK: Collection view data source

  /// The number of sections in the snapshot.
  open func numberOfSections(in collectionView: UICollectionView) -> Int {
    current.numberOfSections
  }

  /// The number of items of a section in the snapshot.
  open func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int { current.numberOfItems(inSection: current.sectionIdentifiers[section]) }

  /// Returns the cell provider's cell.
  open func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell {
    provided(cellProvider(collectionView, indexPath, item(at: indexPath)), for: indexPath)
  }

  /// Returns the supplementary view provider's view. Traps without one.
  open func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView {
    guard let view = supplementaryViewProvider?(collectionView, kind, indexPath) else {
      fatalError(
        "The layout has views of the kind \(kind): the diffable data source needs a "
          + "supplementaryViewProvider that makes them")
    }
    return view
  }

  /// Whether the user can move an item: as `canReorderItem` says; never an item of a tree.
  open func collectionView(
    _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
  ) -> Bool {
    // A move in a tree would also have to name the new parent.
    guard outlinePlace(at: indexPath) == nil else { return false }
    return itemIdentifier(for: indexPath).map { canReorder($0) } ?? false
  }

  private func canReorder(_ item: ItemIdentifierType) -> Bool {
    reorderingHandlers.canReorderItem?(item) ?? false
  }

  /// Moves the item in the snapshot after the collection has moved it, and calls the reordering
  /// handlers.
  open func collectionView(
    _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  ) {
    let item = item(at: sourceIndexPath)
    var moved = current
    moved.deleteItems([item])
    let section = moved.sectionIdentifiers[destinationIndexPath.section]
    let items = moved.itemIdentifiers(inSection: section)
    if items.indices.contains(destinationIndexPath.item) {
      moved.insertItems([item], beforeItem: items[destinationIndexPath.item])
    } else {
      moved.appendItems([item], toSection: section)
    }
    let transaction = Transaction(initialSnapshot: current, finalSnapshot: moved)
    reorderingHandlers.willReorder?(transaction)
    current = moved
    reorderingHandlers.didReorder?(transaction)
  }

  /// Returns `nil`. Override it for an index.
  open func indexTitles(for collectionView: UICollectionView) -> [String]? { nil }
  /// Returns the path of the first item of the section of the same number. Override it for an
  /// index.
  open func collectionView(
    _ collectionView: UICollectionView, indexPathForIndexTitle title: String, at index: Int
  ) -> IndexPath { IndexPath(item: 0, section: index) }
  /// Returns `nil`: the collection makes names up.
  open func collectionView(
    _ collectionView: UICollectionView, identifierForItemAt indexPath: IndexPath
  ) -> String? { nil }
}

/// The change of the snapshot by a move.
///
/// Source: UIKit, `NSDiffableDataSourceTransaction`. `sectionTransactions` does not exist.
public struct NSDiffableDataSourceTransaction<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: Sendable {
  /// A snapshot of the data source's identifiers.
  public typealias Snapshot = NSDiffableDataSourceSnapshot<
    SectionIdentifierType, ItemIdentifierType
  >

  /// The snapshot before the move.
  public let initialSnapshot: Snapshot
  /// The snapshot after the move.
  public let finalSnapshot: Snapshot

  /// The difference of the two lists of all items, with moves inferred.
  public var difference: CollectionDifference<ItemIdentifierType> {
    finalSnapshot.itemIdentifiers.difference(from: initialSnapshot.itemIdentifiers)
      .inferringMoves()
  }
}
