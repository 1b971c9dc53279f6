// The diffable data source of collections. Snapshots are this package's own.

@MainActor
open class UICollectionViewDiffableDataSource<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: NSObject {
  public typealias CellProvider = (UICollectionView, IndexPath, ItemIdentifierType) ->
    UICollectionViewCell?

  public struct SectionSnapshotHandlers<Item: Hashable & Sendable> {
    public var shouldExpandItem: ((Item) -> Bool)?
    public var willExpandItem: ((Item) -> Void)?
    public var shouldCollapseItem: ((Item) -> Bool)?
    public var willCollapseItem: ((Item) -> Void)?
    public var snapshotForExpandingParent:
      (
        (
          _ parent: Item, _ currentChildSnapshot: NSDiffableDataSourceSectionSnapshot<Item>
        ) -> NSDiffableDataSourceSectionSnapshot<Item>
      )?
    public init() { stub() }
  }

  public init(collectionView: UICollectionView, cellProvider: @escaping CellProvider) { stub() }
  open var sectionSnapshotHandlers: SectionSnapshotHandlers<ItemIdentifierType> {
    get { stub() }
    set { stub() }
  }
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool = true, completion: (() -> Void)? = nil
  ) { stub() }
  open func apply(
    _ snapshot: NSDiffableDataSourceSectionSnapshot<ItemIdentifierType>,
    to section: SectionIdentifierType, animatingDifferences: Bool = true,
    completion: (() -> Void)? = nil
  ) { stub() }
  open func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> {
    stub()
  }
  open func snapshot(for section: SectionIdentifierType)
    -> NSDiffableDataSourceSectionSnapshot<ItemIdentifierType>
  { stub() }
  open func itemIdentifier(for indexPath: IndexPath) -> ItemIdentifierType? { stub() }
}
