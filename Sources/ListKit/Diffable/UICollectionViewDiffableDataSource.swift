import Foundation
import ListSnapshots

/// Gives a collection its items from snapshots: each one is compared with the one before, and what
/// has changed is one batch of updates.
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
  public typealias CellProvider =
    @MainActor (
      _ collectionView: UICollectionView, _ indexPath: IndexPath,
      _ itemIdentifier: ItemIdentifierType
    ) -> UICollectionViewCell?
  public typealias SupplementaryViewProvider =
    @MainActor (
      _ collectionView: UICollectionView, _ elementKind: String, _ indexPath: IndexPath
    ) -> UICollectionReusableView?

  /// What the user may move, and what comes of it.
  ///
  /// Source: UIKit, `UICollectionViewDiffableDataSource.ReorderingHandlers`.
  public struct ReorderingHandlers {
    /// Whether an item can be moved; none can without it.
    public var canReorderItem: (@MainActor (ItemIdentifierType) -> Bool)?
    public var willReorder: (@MainActor (Transaction) -> Void)?
    public var didReorder: (@MainActor (Transaction) -> Void)?
  }

  public typealias Transaction = NSDiffableDataSourceTransaction<
    SectionIdentifierType, ItemIdentifierType
  >

  /// Makes the headers and footers that the layout has.
  open var supplementaryViewProvider: SupplementaryViewProvider?
  open var reorderingHandlers = ReorderingHandlers()
  /// What the user may open and close, and what comes of it; see `apply(_:to:)`.
  open var sectionSnapshotHandlers = SectionSnapshotHandlers<ItemIdentifierType>()
  /// The trees of the sections that have one.
  var outlines: [SectionIdentifierType: SectionSnapshot] = [:]
  private let cellProvider: CellProvider

  /// Becomes the collection's data source.
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

  // MARK: The collection's questions

  open func numberOfSections(in collectionView: UICollectionView) -> Int {
    current.numberOfSections
  }

  open func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int { current.numberOfItems(inSection: current.sectionIdentifiers[section]) }

  open func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell {
    provided(cellProvider(collectionView, indexPath, item(at: indexPath)), for: indexPath)
  }

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

  open func collectionView(
    _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
  ) -> Bool {
    // What is moved in a tree would have to say under what it goes.
    guard outlinePlace(at: indexPath) == nil else { return false }
    return itemIdentifier(for: indexPath).map { canReorder($0) } ?? false
  }

  private func canReorder(_ item: ItemIdentifierType) -> Bool {
    reorderingHandlers.canReorderItem?(item) ?? false
  }

  /// The collection has moved the item: the snapshot follows, and the handlers are told.
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

  open func indexTitles(for collectionView: UICollectionView) -> [String]? { nil }
  open func collectionView(
    _ collectionView: UICollectionView, indexPathForIndexTitle title: String, at index: Int
  ) -> IndexPath { IndexPath(item: 0, section: index) }
  open func collectionView(
    _ collectionView: UICollectionView, identifierForItemAt indexPath: IndexPath
  ) -> String? { nil }
}

/// What moving an item has done to the snapshot.
///
/// Source: UIKit, `NSDiffableDataSourceTransaction`. Transactions of single sections are not there.
public struct NSDiffableDataSourceTransaction<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: Sendable {
  public typealias Snapshot = NSDiffableDataSourceSnapshot<
    SectionIdentifierType, ItemIdentifierType
  >

  public let initialSnapshot: Snapshot
  public let finalSnapshot: Snapshot

  /// What leads from the one list of items to the other.
  public var difference: CollectionDifference<ItemIdentifierType> {
    finalSnapshot.itemIdentifiers.difference(from: initialSnapshot.itemIdentifiers)
      .inferringMoves()
  }
}
