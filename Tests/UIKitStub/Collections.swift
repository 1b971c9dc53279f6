// Collections: the view, its cells, and what it asks and tells.

@MainActor open class UICollectionReusableView: UIView {
  public override init(frame: CGRect) { stub() }
  public required init?(coder: NSCoder) { stub() }
  open var reuseIdentifier: String? { stub() }
  open func prepareForReuse() { stub() }
}

@MainActor open class UICollectionViewCell: UICollectionReusableView {
  open var contentView: UIView { stub() }
  open var isSelected = false
  open var contentConfiguration: (any UIContentConfiguration)?
}

@MainActor open class UICollectionViewListCell: UICollectionViewCell {
  open func defaultContentConfiguration() -> UIListContentConfiguration { stub() }
  open var accessories: [UICellAccessory] = []
  open var indentationLevel: Int = 0
}

@MainActor public struct UICellAccessory {
  public enum DisplayedState: Sendable { case always, whenEditing, whenNotEditing }
  public static func disclosureIndicator(displayed: DisplayedState = .always) -> UICellAccessory {
    stub()
  }
  public static func checkmark(displayed: DisplayedState = .always) -> UICellAccessory { stub() }
  public static func reorder(displayed: DisplayedState = .whenEditing) -> UICellAccessory { stub() }
  public static func label(text: String, displayed: DisplayedState = .always) -> UICellAccessory {
    stub()
  }
  public struct OutlineDisclosureOptions {
    public enum Style: Sendable { case automatic, header, cell }
    public init(style: Style = .automatic) { stub() }
  }
  public typealias ActionHandler = () -> Void
  public static func outlineDisclosure(
    displayed: DisplayedState = .always, options: OutlineDisclosureOptions = .init(),
    actionHandler: ActionHandler? = nil
  ) -> UICellAccessory { stub() }
}

@MainActor open class UICollectionView: UIView {
  public struct ScrollPosition: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var top: Self { stub() }
    public static var centeredVertically: Self { stub() }
    public static var bottom: Self { stub() }
  }

  public class var elementKindSectionHeader: String { stub() }
  public class var elementKindSectionFooter: String { stub() }
  public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) { stub() }
  public required init?(coder: NSCoder) { stub() }
  open var collectionViewLayout: UICollectionViewLayout { stub() }
  open func setCollectionViewLayout(_ layout: UICollectionViewLayout, animated: Bool) { stub() }
  open weak var dataSource: (any UICollectionViewDataSource)?
  open weak var delegate: (any UICollectionViewDelegate)?
  open var backgroundView: UIView?
  open var allowsSelection = true
  open var allowsMultipleSelection = false
  open var isEditing = false
  open var numberOfSections: Int { stub() }
  open func numberOfItems(inSection section: Int) -> Int { stub() }
  open func cellForItem(at indexPath: IndexPath) -> UICollectionViewCell? { stub() }
  open func indexPath(for cell: UICollectionViewCell) -> IndexPath? { stub() }
  open var visibleCells: [UICollectionViewCell] { stub() }
  open var indexPathsForVisibleItems: [IndexPath] { stub() }
  open var indexPathsForSelectedItems: [IndexPath]? { stub() }
  open func selectItem(
    at indexPath: IndexPath?, animated: Bool, scrollPosition: UICollectionView.ScrollPosition
  ) { stub() }
  open func deselectItem(at indexPath: IndexPath, animated: Bool) { stub() }
  open func scrollToItem(
    at indexPath: IndexPath, at scrollPosition: UICollectionView.ScrollPosition, animated: Bool
  ) { stub() }
  open func reloadData() { stub() }
  open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
    stub()
  }
  open func insertSections(_ sections: IndexSet) { stub() }
  open func deleteSections(_ sections: IndexSet) { stub() }
  open func reloadSections(_ sections: IndexSet) { stub() }
  open func moveSection(_ section: Int, toSection newSection: Int) { stub() }
  open func insertItems(at indexPaths: [IndexPath]) { stub() }
  open func deleteItems(at indexPaths: [IndexPath]) { stub() }
  open func reloadItems(at indexPaths: [IndexPath]) { stub() }
  open func reconfigureItems(at indexPaths: [IndexPath]) { stub() }
  open func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) { stub() }
}

extension UICollectionView {
  public struct CellRegistration<Cell, Item> where Cell: UICollectionViewCell {
    public typealias Handler = @MainActor (Cell, IndexPath, Item) -> Void
    public init(handler: @escaping Handler) { stub() }
  }

  public struct SupplementaryRegistration<Supplementary>
  where Supplementary: UICollectionReusableView {
    public typealias Handler = @MainActor (Supplementary, String, IndexPath) -> Void
    public init(elementKind: String, handler: @escaping Handler) { stub() }
  }

  public func dequeueConfiguredReusableCell<Cell, Item>(
    using registration: CellRegistration<Cell, Item>, for indexPath: IndexPath, item: Item?
  ) -> Cell where Cell: UICollectionViewCell { stub() }

  public func dequeueConfiguredReusableSupplementary<Supplementary>(
    using registration: SupplementaryRegistration<Supplementary>, for indexPath: IndexPath
  ) -> Supplementary where Supplementary: UICollectionReusableView { stub() }
}

@MainActor public protocol UICollectionViewDataSource: NSObjectProtocol {
  func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int)
    -> Int
  func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath)
    -> UICollectionViewCell
  func numberOfSections(in collectionView: UICollectionView) -> Int
  func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView
  func collectionView(_ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath)
    -> Bool
  func collectionView(
    _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath)
  func indexTitles(for collectionView: UICollectionView) -> [String]?
  func collectionView(
    _ collectionView: UICollectionView, indexPathForIndexTitle title: String, at index: Int
  ) -> IndexPath
}

@MainActor public protocol UICollectionViewDelegate: NSObjectProtocol {
  func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath)
  func collectionView(_ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath)
  func collectionView(
    _ collectionView: UICollectionView,
    contextMenuConfigurationForItemsAt indexPaths: [IndexPath], point: CGPoint
  ) -> UIContextMenuConfiguration?
}

@MainActor
open class UICollectionViewController: UIViewController, UICollectionViewDataSource,
  UICollectionViewDelegate
{
  public init(collectionViewLayout layout: UICollectionViewLayout) { stub() }
  public required init?(coder: NSCoder) { stub() }
  open var collectionView: UICollectionView! = nil
  open var clearsSelectionOnViewWillAppear = true

  // In Objective-C a subclass overrides what a protocol has as optional; in Swift the class must have it.
  open func numberOfSections(in collectionView: UICollectionView) -> Int { stub() }
  open func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int { stub() }
  open func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell { stub() }
  open func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView { stub() }
  open func collectionView(
    _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
  ) -> Bool { stub() }
  open func collectionView(
    _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  ) { stub() }
  open func indexTitles(for collectionView: UICollectionView) -> [String]? { stub() }
  open func collectionView(
    _ collectionView: UICollectionView, indexPathForIndexTitle title: String, at index: Int
  ) -> IndexPath { stub() }
  open func collectionView(
    _ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath
  ) { stub() }
  open func collectionView(
    _ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath
  ) { stub() }
  open func collectionView(
    _ collectionView: UICollectionView,
    contextMenuConfigurationForItemsAt indexPaths: [IndexPath], point: CGPoint
  ) -> UIContextMenuConfiguration? { stub() }
}
