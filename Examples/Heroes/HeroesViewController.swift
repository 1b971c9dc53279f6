import CoreData
import ListApplication
import ListData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// All heroes, or those that a search finds, in one order, in a section for each first letter.
final class HeroesViewController: UITableViewController {
  let context: NSManagedObjectContext
  let order: HeroOrder
  private(set) var dataSource: FetchedResultsControllerDataSource<Hero>?
  private lazy var undoButtons = UndoButtons(context: context)
  private let search = UISearchController(searchResultsController: nil)
  private var searchText = ""
  private let emptyView = EmptyView(frame: .zero)

  /// Whether there are so many heroes that they are fetched in the background, so that other
  /// windows do not wait.
  private lazy var isLong = context.hasManyObjects(Hero.fetchRequest())

  /// The cache of both tabs. It has the order shown last, with which the next window begins.
  private static let cacheName = "Hero"
  private var hasAppeared = false
  private var hasFailed = false

  init(context: NSManagedObjectContext, order: HeroOrder) {
    self.context = context
    self.order = order
    super.init(style: .plain)
    title = "Heroes"
  }

  required init?(coder: NSCoder) { nil }

  override var undoManager: UndoManager? { context.undoManager }

  override func viewDidLoad() {
    super.viewDidLoad()
    tableView.register(HeroCell.self, forCellReuseIdentifier: "Hero")
    tableView.backgroundView = emptyView
    let dataSource = FetchedResultsControllerDataSource<Hero>(
      tableView: tableView, reuseIdentifier: "Hero")
    self.dataSource = dataSource
    dataSource.delegate = self
    dataSource.onError = { [weak self] error in
      self?.hasFailed = true
      self?.show("Heroes could not be loaded", error)
    }
    setUpBar()
  }

  private func setUpBar() {
    let add = UIAction(title: "Add…") { [weak self] _ in self?.ask(about: nil) }
    navigationItem.rightBarButtonItems =
      [UIBarButtonItem(primaryAction: add)] + undoButtons.items
    navigationItem.leftBarButtonItem = editButtonItem
    search.searchResultsUpdater = self
    search.searchBar.placeholder = "Name or secret identity"
    navigationItem.searchController = search
  }

  // MARK: - Fetching

  override func viewIsAppearing(_ animated: Bool) {
    super.viewIsAppearing(animated)
    // After a change of tabs the cache has the other order.
    if hasAppeared { NSFetchedResultsController<Hero>.deleteCache(withName: Self.cacheName) }
    hasAppeared = true
    fetch {}
  }

  /// Fetches a new list, for another order or another search.
  private func fetch(onFirstRows: @escaping () -> Void) {
    hasFailed = false
    guard isLong else {
      dataSource?.fetchedResultsController = makeController()
      showWhatThereIsNot()
      return onFirstRows()
    }
    if dataSource?.fetchedResultsController == nil { emptyView.showLoading() }
    showActivity(true)
    let pause = searchText.isEmpty ? Duration.zero : LongFetch.typingPause
    dataSource?.fetchInBackground(
      makeController(), after: pause, firstRows: LongFetch.firstRows,
      completion: { [weak self] in
        self?.showActivity(false)
        self?.showWhatThereIsNot()
      }, onFirstRows: onFirstRows)
  }

  private func showWhatThereIsNot() {
    if hasFailed {
      emptyView.showFailure(of: "Heroes") { [weak self] in self?.fetch {} }
    } else if searchText.isEmpty {
      emptyView.show(
        "No heroes yet", explanation: "Heroes stand here by name, and by their secret identity.",
        action: UIAction(title: "Add a hero") { [weak self] _ in self?.ask(about: nil) })
    } else {
      emptyView.show(
        "No hero is called “\(searchText)”",
        explanation: "Names and secret identities are searched: fewer letters find more.",
        action: UIAction(title: "Show all heroes") { [weak self] _ in
          self?.search.isActive = false
        })
    }
  }

  private func makeController() -> NSFetchedResultsController<Hero> {
    let request = Hero.fetchRequest()
    request.predicate = searchPredicate
    request.sortDescriptors = order.sortDescriptors
    request.fetchBatchSize = 20
    return NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context,
      sectionNameKeyPath: order.sectionNameKeyPath,
      cacheName: searchText.isEmpty ? Self.cacheName : nil)
  }

  private var searchPredicate: NSPredicate? {
    if searchText.isEmpty { return nil }
    return NSPredicate(
      format: "name CONTAINS[cd] %@ OR secretIdentity CONTAINS[cd] %@", searchText, searchText)
  }

  // MARK: - Rows

  override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    tableView.deselectRow(at: indexPath, animated: true)
    if let hero = dataSource?.object(at: indexPath) { ask(about: hero) }
  }

  /// Saves the last action, and names it for the Undo button.
  func save(_ action: String, _ name: String?) throws {
    context.undoManager?.setActionName("\(action) “\(name ?? "")”")
    try context.save()
  }

  func scroll(to hero: Hero) {
    guard let path = dataSource?.fetchedResultsController?.indexPath(forObject: hero) else {
      return
    }
    tableView.scrollToRow(at: path, at: .none, animated: true)
  }

  func show(_ title: String, _ error: any Error) {
    let alert = UIAlertController(
      title: title, message: words(for: error), preferredStyle: .alert)
    alert.addAction(UIAlertAction(title: "OK", style: .cancel))
    present(alert, animated: true)
  }
}

extension HeroesViewController: FetchedResultsControllerDataSourceDelegate {
  func configure(_ cell: UITableViewCell, with hero: Hero) {
    (cell as? HeroCell)?.show(hero, order)
  }

  func delete(_ hero: Hero) {
    let name = hero.name
    context.delete(hero)
    do {
      try save("Delete", name)
      tellDeleted(name ?? "", undoManager: context.undoManager, undo: context.undo)
    } catch {
      // A hero that the store refuses to delete reappears.
      context.rollback()
      show("“\(name ?? "")” could not be deleted", error)
    }
  }
}

extension HeroesViewController: UISearchResultsUpdating {
  func updateSearchResults(for searchController: UISearchController) {
    let text = (searchController.searchBar.text ?? "").trimmingCharacters(in: .whitespaces)
    guard text != searchText else { return }
    searchText = text
    fetch { [weak self] in
      guard let self, tableView.numberOfSections > 0 else { return }
      tableView.scrollToRow(at: IndexPath(row: 0, section: 0), at: .bottom, animated: false)
    }
  }
}
