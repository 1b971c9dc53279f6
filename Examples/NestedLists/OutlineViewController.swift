import CoreData
import ListApplication

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// The contents of one list as a tree. Children of an item are fetched when it is expanded.
final class OutlineViewController: UICollectionViewController {
  private typealias Tree = NSDiffableDataSourceSectionSnapshot<NSManagedObjectID>

  static let identifier = "outline"

  private let parentItem: Item
  private let context: NSManagedObjectContext
  private var dataSource: UICollectionViewDiffableDataSource<Int, NSManagedObjectID>?
  private var changes: NotificationObservation?

  init(parentItem: Item, context: NSManagedObjectContext) {
    self.parentItem = parentItem
    self.context = context
    let list = UICollectionLayoutListConfiguration(appearance: .plain)
    super.init(collectionViewLayout: UICollectionViewCompositionalLayout.list(using: list))
    title = "Outline"
    restorationIdentifier = Self.identifier
  }

  required init?(coder: NSCoder) { nil }

  override var undoManager: UndoManager? { context.undoManager }

  override func viewDidLoad() {
    super.viewDidLoad()
    let emptyView = EmptyView(frame: .zero)
    emptyView.show(
      "Nothing in this list yet",
      explanation: "All that stands in the list, and in the lists of its items, is shown here.",
      action: UIAction(title: "Back to the list") { [weak self] _ in
        self?.navigationController?.popViewController(animated: true)
      })
    collectionView.backgroundView = emptyView
    dataSource = makeDataSource()
    showTree()
    changes = NotificationObservation(
      of: .NSManagedObjectContextObjectsDidChange, object: context
    ) { [weak self] _ in self?.showTree() }
  }

  private func makeDataSource() -> UICollectionViewDiffableDataSource<Int, NSManagedObjectID> {
    let cells = UICollectionView.CellRegistration<UICollectionViewListCell, Item> { cell, _, item in
      var content = UIListContentConfiguration.valueCell()
      content.text = item.title
      let count = item.numberOfChildren
      content.secondaryText = count == 0 ? nil : "\(count)"
      cell.contentConfiguration = content
      cell.accessories = count == 0 ? [] : [.outlineDisclosure()]
      cell.restorationIdentifier = item.restorationIdentifier
      cell.accessibilityHint = "shows the list"
    }
    let dataSource = UICollectionViewDiffableDataSource<Int, NSManagedObjectID>(
      collectionView: collectionView
    ) { [weak self] view, path, id in
      view.dequeueConfiguredReusableCell(using: cells, for: path, item: self?.item(id))
    }
    dataSource.sectionSnapshotHandlers.snapshotForExpandingParent = { [weak self] id, known in
      self?.tree(of: self?.item(id), openAs: known) ?? known
    }
    return dataSource
  }

  // MARK: - The tree

  private func item(_ id: NSManagedObjectID) -> Item? {
    // nil if another window has deleted the item; its row is about to be removed.
    try? context.existingObject(with: id) as? Item
  }

  /// Updates the tree. Expanded items stay expanded.
  private func showTree() {
    guard let dataSource, !parentItem.isDeleted, parentItem.managedObjectContext != nil else {
      return
    }
    dataSource.apply(tree(of: parentItem, openAs: dataSource.snapshot(for: 0)), to: 0)
    var all = dataSource.snapshot()
    all.reconfigureItems(all.itemIdentifiers)
    dataSource.apply(all)
  }

  private func tree(of list: Item?, openAs old: Tree) -> Tree {
    var tree = Tree()
    if let list { fill(&tree, under: nil, with: list, openAs: old) }
    return tree
  }

  private func fill(
    _ tree: inout Tree, under parent: NSManagedObjectID?, with list: Item, openAs old: Tree
  ) {
    let items: [Item]
    do { items = try context.fetch(list.childrenRequest) } catch {
      return showToast(words(for: error))
    }
    tree.append(items.map(\.objectID), to: parent)
    for item in items where old.isExpanded(item.objectID) {
      tree.expand([item.objectID])
      fill(&tree, under: item.objectID, with: item, openAs: old)
    }
  }

  override func collectionView(
    _ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath
  ) {
    if let item = dataSource?.itemIdentifier(for: indexPath).flatMap(item) { show(item) }
  }

  private func show(_ item: Item) {
    let list = ItemViewController(parentItem: item, context: context)
    columnsController?.showNext(list, from: self)
  }
}

extension OutlineViewController: ScreenRestoration {
  func showScreen(withRestorationIdentifier identifier: String) -> Bool {
    let item = context.object(
      withRestorationIdentifier: identifier[...], entity: "Item", as: Item.self)
    guard let item, item.isUnder(parentItem) else { return false }
    show(item)
    return true
  }
}

extension Item {
  fileprivate func isUnder(_ list: Item) -> Bool { lists.dropFirst().contains(list) }
}
