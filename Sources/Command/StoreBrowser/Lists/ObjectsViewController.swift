import CoreData
import ListApplication
import ListData
import ListKit
import StoreTool

/// The objects of a list, fetched in batches. The search field accepts a predicate.
final class ObjectsViewController: UITableViewController {
  private let subject: BrowsedStore
  private let context: NSManagedObjectContext
  private let list: ObjectList
  private var dataSource: FetchedResultsControllerDataSource<NSManagedObject>?
  private let search = UISearchController(searchResultsController: nil)
  private var searchText = ""
  private var found: NSPredicate?
  private var order: String
  private let emptyLabel = UILabel()
  private lazy var undoButtons = UndoButtons(context: context)
  /// Whether fetching takes so long that it must not block other windows.
  private lazy var isLong = context.hasManyObjects(list.request())

  init(_ subject: BrowsedStore, context: NSManagedObjectContext, list: ObjectList) {
    self.subject = subject
    self.context = context
    self.list = list
    order = ObjectTitle.sortKey(of: list.entity) ?? ""
    super.init(style: .plain)
    title = list.title
    restorationIdentifier = list.identifier
  }

  required init?(coder: NSCoder) { nil }

  override var undoManager: UndoManager? { context.undoManager }

  override func viewDidLoad() {
    super.viewDidLoad()
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "Object")
    tableView.backgroundView = emptyLabel
    let dataSource = FetchedResultsControllerDataSource<NSManagedObject>(
      tableView: tableView, reuseIdentifier: "Object")
    self.dataSource = dataSource
    dataSource.delegate = self
    dataSource.onError = { [weak self] in self?.complain($0) }
    let sort = UIAction(title: "Sort…") { [weak self] _ in self?.askForOrder() }
    navigationItem.rightBarButtonItems =
      [UIBarButtonItem(primaryAction: sort)] + (subject.edits == nil ? [] : undoButtons.items)
    search.searchResultsUpdater = self
    search.searchBar.placeholder = Self.example(list.entity)
    navigationItem.searchController = search
    fetch()
  }

  /// What can be searched for, with a predicate as an example.
  private static func example(_ entity: NSEntityDescription) -> String {
    guard let attribute = ObjectLabel.attribute(of: entity) ?? entity.storedAttributes.first else {
      return "Predicate"
    }
    let isText = attribute.attributeType == .stringAttributeType
    return isText
      ? "Words, or \(attribute.name) CONTAINS[cd] \"…\"" : "\(attribute.name) != nil"
  }

  // MARK: - Fetching

  private func fetch() {
    navigationItem.prompt = nil
    let controller: NSFetchedResultsController<NSManagedObject>
    do { controller = try makeController() } catch { return complain(error) }
    guard isLong else {
      dataSource?.fetchedResultsController = controller
      return showWhatThereIsNot()
    }
    if dataSource?.fetchedResultsController == nil { emptyLabel.text = "Loading…" }
    showActivity(true)
    let pause = searchText.isEmpty ? Duration.zero : LongFetch.typingPause
    dataSource?.fetchInBackground(controller, after: pause, firstRows: LongFetch.firstRows) {
      [weak self] in
      self?.showActivity(false)
      self?.showWhatThereIsNot()
    }
  }

  private func showWhatThereIsNot() {
    if navigationItem.prompt != nil { return }
    emptyLabel.text = searchText.isEmpty ? "There are none" : "None is found by “\(searchText)”"
  }

  /// Shows an error above the search field, where the predicate can be corrected. The list keeps
  /// its content.
  private func complain(_ error: any Error) {
    let text = (error as? PredicateFormatError)?.oneLine ?? words(for: ToolError(error))
    navigationItem.prompt = text
    emptyLabel.text = text
  }

  private func makeController() throws -> NSFetchedResultsController<NSManagedObject> {
    let descriptors = order.isEmpty ? [] : try Query.sortDescriptors(order)
    let request = list.request(where: found, sortedBy: descriptors)
    request.fetchBatchSize = 50
    return NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
  }

  private func askForOrder() {
    let names = list.entity.storedAttributes.map(\.name).joined(separator: ", ")
    FormViewController(
      title: "Sort", button: "Sort", fields: [FormField("order", label: "Order", text: order)],
      note: "KEY or -KEY, separated by commas. There are: \(names)."
    ) { [weak self] texts in
      var refusals = Refusals()
      do { try self?.sort(by: texts[0]) } catch {
        refusals.add(words(for: error), to: "order")
      }
      try refusals.throwIfAny()
    }.present(on: self)
  }

  private func sort(by text: String) throws {
    let former = order
    order = text
    do {
      // Fetching one object reveals errors in the sort keys.
      let request = try makeController().fetchRequest
      request.fetchLimit = 1
      _ = try context.fetch(request)
    } catch {
      order = former
      throw ToolError(error)
    }
    fetch()
  }

  // MARK: - Rows

  override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    if let object = dataSource?.object(at: indexPath) { show(object) }
  }

  private func show(_ object: NSManagedObject) {
    navigationController?.pushViewController(
      ObjectViewController(subject, object: object, context: context), animated: true)
  }

  /// Nil means the default action, Delete.
  override func tableView(
    _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
  ) -> UISwipeActionsConfiguration? {
    subject.edits == nil ? UISwipeActionsConfiguration(actions: []) : nil
  }
}

extension ObjectsViewController: FetchedResultsControllerDataSourceDelegate {
  func configure(_ cell: UITableViewCell, with object: NSManagedObject) {
    var content = UIListContentConfiguration.subtitleCell()
    content.text = ObjectTitle.text(of: object)
    content.secondaryText = ObjectTitle.details(of: object)
    cell.contentConfiguration = content
    cell.accessoryType = .disclosureIndicator
    cell.accessibilityHint = "opens"
  }

  func delete(_ object: NSManagedObject) {
    let name = ObjectTitle.text(of: object)
    subject.saving(on: self) { [weak self, context, subject] in
      guard object.managedObjectContext != nil else { return }
      context.delete(object)
      do {
        context.undoManager?.setActionName("Delete “\(name)”")
        try subject.edits?.save(context)
        self?.tellDeleted(name, undoManager: context.undoManager, undo: context.undo)
      } catch {
        // The deletion that cannot be saved is taken back.
        context.rollback()
        throw error
      }
    } failed: { [weak self] error in
      guard let self else { return }
      ErrorAlert("“\(name)” could not be deleted", ToolError(error)).present(on: self)
    }
  }
}

extension ObjectsViewController: UISearchResultsUpdating {
  func updateSearchResults(for searchController: UISearchController) {
    let text = (searchController.searchBar.text ?? "").trimmingCharacters(in: .whitespaces)
    guard text != searchText else { return }
    searchText = text
    do {
      found = text.isEmpty ? nil : try Condition(of: list.entity).predicate(text)
    } catch {
      return complain(error)
    }
    fetch()
  }
}

extension ObjectsViewController: ScreenRestoration {
  func showScreen(withRestorationIdentifier identifier: String) -> Bool {
    guard let object = subject.object(identifier, in: context),
      object.entity.isKindOf(entity: list.entity)
    else { return false }
    show(object)
    return true
  }
}

extension PredicateFormatError {
  /// The reason, with the rest of the predicate from the error on.
  fileprivate var oneLine: String {
    let rest = String(String.UnicodeScalarView(format.unicodeScalars.dropFirst(position)))
    return rest.isEmpty
      ? "At the end of the predicate: \(reason)." : "Before “\(rest)”: \(reason)."
  }
}
