import CoreData
import ListApplication
import ListData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// All goods, in a section for each category, as a list, a grid or shelves.
final class GoodsViewController: UICollectionViewController {
  let context: NSManagedObjectContext
  private(set) var dataSource: FetchedResultsControllerDataSource<Goods>?
  private lazy var undoButtons = UndoButtons(context: context)
  private let emptyView = EmptyView(frame: .zero)
  private var hasFailed = false
  /// The running import of this window, if any, and the number of rows it has added.
  var importing: Task<Void, Never>?
  var imported = 0
  /// The progress of the import in the toolbar, and what else the toolbar has.
  var progressLabel: UIBarButtonItem?
  var otherItems: [UIBarButtonItem]?

  init(context: NSManagedObjectContext) {
    self.context = context
    super.init(collectionViewLayout: UICollectionViewFlowLayout())
    title = "Goods"
  }

  required init?(coder: NSCoder) { nil }

  override var undoManager: UndoManager? { context.undoManager }

  override func viewDidLoad() {
    super.viewDidLoad()
    collectionView.backgroundView = emptyView
    showLayout(animated: false)
    let dataSource = makeDataSource()
    self.dataSource = dataSource
    dataSource.delegate = self
    dataSource.onError = { [weak self] error in
      self?.hasFailed = true
      self?.show(error)
    }
    setUpBar()
    fetch()
  }

  private func fetch() {
    hasFailed = false
    guard context.hasManyObjects(Goods.fetchRequest()) else {
      dataSource?.fetchedResultsController = makeController()
      return showWhatThereIsNot()
    }
    emptyView.showLoading()
    showActivity(true)
    dataSource?.fetchInBackground(makeController(), firstRows: LongFetch.firstRows) { [weak self] in
      self?.showActivity(false)
      self?.showWhatThereIsNot()
    }
  }

  private func showWhatThereIsNot() {
    if hasFailed { return emptyView.showFailure(of: "Goods") { [weak self] in self?.fetch() } }
    emptyView.show(
      "No goods yet", explanation: "What is in stock stands here by category, with its number.",
      action: UIAction(title: "Add goods") { [weak self] _ in self?.askForGoods() })
  }

  // MARK: - Looks

  private var layout = GoodsLayout.rows
  private var lookButton: UIBarButtonItem?

  private func show(_ layout: GoodsLayout) {
    self.layout = layout
    showLayout(animated: true)
  }

  /// Shows the layouts in a popover at the button.
  private func askForLook() {
    let looks = LookViewController(current: layout) { [weak self] in self?.show($0) }
    looks.modalPresentationStyle = .popover
    looks.popoverPresentationController?.sourceItem = lookButton
    looks.popoverPresentationController?.permittedArrowDirections = [.up, .down]
    present(looks, animated: true)
  }

  private func showLayout(animated: Bool) {
    let made = layout.made { [weak self] path in self?.actions(at: path) }
    collectionView.setCollectionViewLayout(made, animated: animated)
  }

  private func makeDataSource() -> FetchedResultsControllerDataSource<Goods> {
    let cells = UICollectionView.CellRegistration<UICollectionViewListCell, Goods> {
      [weak self] cell, _, goods in
      var content = UIListContentConfiguration.valueCell()
      content.text = goods.name
      content.secondaryText = Numeral.words(goods.number, in: self?.locale ?? .current)
      // A press counts.
      content.image = UIImage(systemName: "plus.circle")
      cell.contentConfiguration = content
      cell.choosingAdds = 1
      cell.accessibilityHint = "adds one"
    }
    let headers = UICollectionView.SupplementaryRegistration<UICollectionViewListCell>(
      elementKind: UICollectionView.elementKindSectionHeader
    ) { [weak self] header, _, path in
      var content = UIListContentConfiguration.plainHeader()
      content.text = self?.dataSource?.sectionName(path.section)
      header.contentConfiguration = content
    }
    let dataSource = FetchedResultsControllerDataSource<Goods>(collectionView: collectionView) {
      view, path, goods in
      view.dequeueConfiguredReusableCell(using: cells, for: path, item: goods)
    }
    dataSource.supplementaryViewProvider = { view, _, path in
      view.dequeueConfiguredReusableSupplementary(using: headers, for: path)
    }
    return dataSource
  }

  /// Creates the controller. Sections are categories, so rows are sorted by category first: as a
  /// dictionary sorts them, and those that a dictionary takes for one by their characters.
  private func makeController() -> NSFetchedResultsController<Goods> {
    let request = Goods.fetchRequest()
    request.sortDescriptors = [
      NSSortDescriptor(
        key: "category", ascending: true, selector: Selector("localizedStandardCompare:")),
      NSSortDescriptor(key: "category", ascending: true),
      NSSortDescriptor(
        key: "name", ascending: true, selector: Selector("localizedStandardCompare:")),
    ]
    request.fetchBatchSize = 50
    return NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "category",
      cacheName: "GoodCache")
  }

  private func setUpBar() {
    let add = UIAction(title: "Add…") { [weak self] _ in self?.askForGoods() }
    let load = UIAction(title: "Import…") { [weak self] _ in self?.askForImport() }
    let look = UIAction(title: "Look") { [weak self] _ in self?.askForLook() }
    let buttons = [add, load, look].map { UIBarButtonItem(primaryAction: $0) }
    lookButton = buttons.last
    navigationItem.rightBarButtonItems = buttons + undoButtons.items
  }

  // MARK: - Rows

  override func collectionView(
    _ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath
  ) {
    collectionView.deselectItem(at: indexPath, animated: true)
    guard let goods = dataSource?.object(at: indexPath) else { return }
    guard goods.number < .max else {
      let most = Numeral.words(Int32.max, in: locale)
      return showToast("“\(goods.name ?? "")” has \(most) already, the largest number")
    }
    goods.number += 1
    save("Count", goods.name)
  }

  private func actions(at path: IndexPath) -> UISwipeActionsConfiguration? {
    guard let goods = dataSource?.object(at: path) else { return nil }
    let delete = UIContextualAction(style: .destructive, title: "Delete") {
      [weak self] _, _, done in
      self?.delete(goods)
      done(true)
    }
    let category = UIContextualAction(style: .normal, title: "Category…") {
      [weak self] _, _, done in
      self?.askForCategory(goods)
      done(true)
    }
    category.image = UIImage(systemName: "tag")
    return UISwipeActionsConfiguration(actions: [delete, category])
  }

  // Tiles have in a menu what rows have under a swipe.
  override func collectionView(
    _ collectionView: UICollectionView,
    contextMenuConfigurationForItemsAt indexPaths: [IndexPath], point: CGPoint
  ) -> UIContextMenuConfiguration? {
    guard layout != .rows, let goods = indexPaths.first.flatMap({ dataSource?.object(at: $0) })
    else { return nil }
    return UIContextMenuConfiguration(identifier: nil, previewProvider: nil) { _ in
      let category = UIAction(title: "Category…", image: UIImage(systemName: "tag")) {
        [weak self] _ in self?.askForCategory(goods)
      }
      let delete = UIAction(
        title: "Delete", image: UIImage(systemName: "trash"), attributes: .destructive
      ) { [weak self] _ in self?.delete(goods) }
      return UIMenu(children: [category, delete])
    }
  }

  // MARK: - Saving

  /// Saves the last action, and names it for the Undo button.
  func save(_ action: String, _ name: String?) {
    context.undoManager?.setActionName("\(action) “\(name ?? "")”")
    do { try context.save() } catch { show(error) }
  }

  func show(_ error: any Error) {
    showToast(words(for: error))
  }
}

extension GoodsViewController: FetchedResultsControllerDataSourceDelegate {
  func delete(_ goods: Goods) {
    let name = goods.name
    context.delete(goods)
    save("Delete", name)
    tellDeleted(name ?? "", undoManager: context.undoManager, undo: context.undo)
  }
}
