import CoreData
import ListApplication
import ListData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// All goods, in a section for each category.
final class GoodsViewController: UITableViewController {
  let context: NSManagedObjectContext
  private(set) var dataSource: FetchedResultsControllerDataSource<Goods>?
  private lazy var undoButtons = UndoButtons(context: context)

  init(context: NSManagedObjectContext) {
    self.context = context
    super.init(style: .plain)
    title = "Goods"
  }

  required init?(coder: NSCoder) { nil }

  override var undoManager: UndoManager? { context.undoManager }

  override func viewDidLoad() {
    super.viewDidLoad()
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "Goods")
    let dataSource = FetchedResultsControllerDataSource<Goods>(
      tableView: tableView, reuseIdentifier: "Goods")
    self.dataSource = dataSource
    dataSource.delegate = self
    dataSource.onError = { [weak self] error in self?.show(error) }
    dataSource.fetchedResultsController = makeController()
    setUpBar()
  }

  /// The sections are the categories, so the categories come first in the order of the rows.
  private func makeController() -> NSFetchedResultsController<Goods> {
    let request = Goods.fetchRequest()
    request.sortDescriptors = [
      NSSortDescriptor(key: "category", ascending: true),
      NSSortDescriptor(key: "name", ascending: true),
    ]
    request.fetchBatchSize = 50
    return NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "category",
      cacheName: "GoodCache")
  }

  private func setUpBar() {
    let add = UIAction(title: "Add…") { [weak self] _ in self?.askForGoods() }
    let load = UIAction(title: "Import…") { [weak self] _ in self?.askForImport() }
    navigationItem.rightBarButtonItems =
      [UIBarButtonItem(primaryAction: add), UIBarButtonItem(primaryAction: load)]
      + undoButtons.items
  }

  // MARK: - Rows

  override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    tableView.deselectRow(at: indexPath, animated: true)
    guard let goods = dataSource?.object(at: indexPath), goods.number < .max else { return }
    goods.number += 1
    save("Count", goods.name)
  }

  override func tableView(
    _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
  ) -> UISwipeActionsConfiguration? {
    guard let goods = dataSource?.object(at: indexPath) else { return nil }
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
    return UISwipeActionsConfiguration(actions: [delete, category])
  }

  // MARK: - Saving

  /// Saves what has just been done, and names it for the Undo button.
  func save(_ action: String, _ name: String?) {
    context.undoManager?.setActionName("\(action) “\(name ?? "")”")
    do { try context.save() } catch { show(error) }
  }

  func show(_ error: any Error) {
    showToast((error as NSError).localizedDescription)
  }
}

extension GoodsViewController: FetchedResultsControllerDataSourceDelegate {
  func configure(_ cell: UITableViewCell, with goods: Goods) {
    var content = UIListContentConfiguration.valueCell()
    content.text = goods.name
    content.secondaryText = "\(goods.number)"
    cell.contentConfiguration = content
  }

  func delete(_ goods: Goods) {
    let name = goods.name
    context.delete(goods)
    save("Delete", name)
  }
}
