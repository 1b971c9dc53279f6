import CoreData
import ListApplication
import ListData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// All lists, to move an item into one of them. Every item is a list.
final class ListChooserViewController: UITableViewController {
  private let item: Item
  private let context: NSManagedObjectContext
  private let choose: @MainActor (Item) -> Void
  private var dataSource: FetchedResultsControllerDataSource<Item>?
  private let search = UISearchController(searchResultsController: nil)
  private var searchText = ""
  private let emptyView = EmptyView(frame: .zero)
  private var hasFailed = false
  private lazy var isLong = context.hasManyObjects(Item.fetchRequest())

  init(
    item: Item, context: NSManagedObjectContext, choose: @escaping @MainActor (Item) -> Void
  ) {
    self.item = item
    self.context = context
    self.choose = choose
    super.init(style: .plain)
    title = "Move “\(item.title ?? "")”"
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "List")
    tableView.backgroundView = emptyView
    let dataSource = FetchedResultsControllerDataSource<Item>(
      tableView: tableView, reuseIdentifier: "List")
    self.dataSource = dataSource
    dataSource.delegate = self
    dataSource.onError = { [weak self] error in
      self?.hasFailed = true
      self?.showToast(words(for: error))
    }
    navigationItem.leftBarButtonItem = UIBarButtonItem(
      systemItem: .cancel,
      primaryAction: UIAction { [weak self] _ in self?.dismiss(animated: true) })
    search.searchResultsUpdater = self
    search.searchBar.placeholder = "Lists"
    navigationItem.searchController = search
    fetch()
  }

  private func fetch() {
    hasFailed = false
    guard isLong else {
      dataSource?.fetchedResultsController = makeController()
      return showWhatThereIsNot()
    }
    if dataSource?.fetchedResultsController == nil { emptyView.showLoading() }
    showActivity(true)
    let pause = searchText.isEmpty ? Duration.zero : LongFetch.typingPause
    dataSource?.fetchInBackground(
      makeController(), after: pause, firstRows: LongFetch.firstRows
    ) { [weak self] in
      self?.showActivity(false)
      self?.showWhatThereIsNot()
    }
  }

  private func showWhatThereIsNot() {
    if hasFailed {
      emptyView.showFailure(of: "The lists") { [weak self] in self?.fetch() }
    } else if searchText.isEmpty {
      emptyView.show(
        "There is no other list", explanation: "Every item is a list that others can be moved into."
      )
    } else {
      emptyView.show(
        "No list is called “\(searchText)”", explanation: "Fewer letters find more.",
        action: UIAction(title: "Show all lists") { [weak self] _ in
          self?.search.isActive = false
        })
    }
  }

  private func makeController() -> NSFetchedResultsController<Item> {
    let request = Item.fetchRequest()
    request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: conditions)
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    request.fetchBatchSize = 50
    return NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
      cacheName: nil)
  }

  private var conditions: [NSPredicate] {
    // By object ID, since a background fetch uses another context's objects.
    let others = NSPredicate(format: "SELF != %@", item.objectID)
    if searchText.isEmpty { return [others] }
    return [others, NSPredicate(format: "title CONTAINS[cd] %@", searchText)]
  }

  override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    guard let list = dataSource?.object(at: indexPath) else { return }
    dismiss(animated: true)
    choose(list)
  }

  /// No actions: rows cannot be edited here.
  override func tableView(
    _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
  ) -> UISwipeActionsConfiguration? { UISwipeActionsConfiguration(actions: []) }
}

extension ListChooserViewController: FetchedResultsControllerDataSourceDelegate {
  /// Shows the title and, below it, the path of enclosing lists.
  func configure(_ cell: UITableViewCell, with list: Item) {
    var content = UIListContentConfiguration.subtitleCell()
    content.text = list.title
    content.secondaryText = list.parent.map {
      "in " + $0.lists.reversed().map { $0.title ?? "" }.joined(separator: " › ")
    }
    cell.contentConfiguration = content
    cell.accessibilityHint = "moves the item there"
  }

  func delete(_ list: Item) {}
}

extension ListChooserViewController: UISearchResultsUpdating {
  func updateSearchResults(for searchController: UISearchController) {
    let text = (searchController.searchBar.text ?? "").trimmingCharacters(in: .whitespaces)
    guard text != searchText else { return }
    searchText = text
    fetch()
  }
}
