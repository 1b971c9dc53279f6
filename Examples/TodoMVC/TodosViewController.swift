import CoreData
import ListApplication
import ListData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// The page of TodoMVC: a field for new todos, the list, and a footer with the count and filters.
///
/// The accessibility identifiers of views are the names that the specification gives its elements.
final class TodosViewController: UIViewController {
  let context: NSManagedObjectContext
  private(set) var dataSource: FetchedResultsControllerDataSource<Todo>?
  private var changes: [NotificationObservation] = []
  private lazy var undoButtons = UndoButtons(context: context)

  let newTodoField = UITextField()
  let toggleAll = UISwitch()
  let tableView = UITableView(frame: .zero, style: .plain)
  let countLabel = UILabel()
  let clearButton = UIButton(type: .system, primaryAction: nil)
  private lazy var filters = UISegmentedControl(frame: .zero, actions: makeFilters())
  private lazy var main = UIStackView(arrangedSubviews: [toggleAll, tableView])
  private lazy var footer = UIStackView(arrangedSubviews: [countLabel, filters, clearButton])

  init(context: NSManagedObjectContext) {
    self.context = context
    super.init(nibName: nil, bundle: nil)
    title = "todos"
  }

  required init?(coder: NSCoder) { nil }

  override var undoManager: UndoManager? { context.undoManager }

  override func loadView() {
    main.axis = .vertical
    let page = UIStackView(arrangedSubviews: [newTodoField, main, footer])
    page.axis = .vertical
    view = page
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    nameViews()
    newTodoField.placeholder = "What needs to be done?"
    newTodoField.delegate = self
    // `.send` empties the field at once, for the next todo.
    newTodoField.returnKeyType = .send
    toggleAll.preferredStyle = .checkbox
    toggleAll.title = "Mark all as complete"
    toggleAll.addAction(UIAction { [weak self] _ in self?.completeAll() }, for: .valueChanged)
    clearButton.setTitle("Clear completed", for: .normal)
    clearButton.addAction(
      UIAction { [weak self] _ in self?.clearCompleted() }, for: .touchUpInside)
    filters.selectedSegmentIndex = 0
    navigationItem.rightBarButtonItems = undoButtons.items
    setUpTable()
    followChanges()
    update()
  }

  override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    newTodoField.becomeFirstResponder()
  }

  private func nameViews() {
    newTodoField.accessibilityIdentifier = "new-todo"
    main.accessibilityIdentifier = "main"
    toggleAll.accessibilityIdentifier = "toggle-all"
    tableView.accessibilityIdentifier = "todo-list"
    tableView.accessibilityLabel = "Todos"
    footer.accessibilityIdentifier = "footer"
    countLabel.accessibilityIdentifier = "todo-count"
    filters.accessibilityIdentifier = "filters"
    filters.accessibilityLabel = "Which todos are shown"
    clearButton.accessibilityIdentifier = "clear-completed"
  }

  private func setUpTable() {
    tableView.allowsSelection = false
    tableView.register(TodoCell.self, forCellReuseIdentifier: "Todo")
    let dataSource = FetchedResultsControllerDataSource<Todo>(
      tableView: tableView, reuseIdentifier: "Todo")
    self.dataSource = dataSource
    dataSource.delegate = self
    dataSource.onError = { [weak self] error in self?.tell(error) }
    show(.all)
  }

  // MARK: - Filters

  private func makeFilters() -> [UIAction] {
    TodoFilter.allCases.map { filter in
      UIAction(title: filter.title, identifier: .init(filter.address)) { [weak self] _ in
        self?.show(filter)
      }
    }
  }

  private func show(_ filter: TodoFilter) {
    dataSource?.fetchedResultsController = NSFetchedResultsController(
      fetchRequest: filter.request, managedObjectContext: context, sectionNameKeyPath: nil,
      cacheName: nil)
  }

  // MARK: - Footer

  private func followChanges() {
    // Counts are the store's: another window's save may concern todos without an object in this
    // one.
    let sources: [(NSNotification.Name, AnyObject?)] = [
      (.NSManagedObjectContextObjectsDidChange, context), (.NSManagedObjectContextDidSave, nil),
      (.contextDidFollowOthers, context),
    ]
    changes = sources.map { name, object in
      NotificationObservation(of: name, object: object) { [weak self] _ in self?.update() }
    }
  }

  private func update() {
    do {
      let active = try context.count(for: TodoFilter.active.request)
      let completed = try context.count(for: TodoFilter.completed.request)
      main.isHidden = active + completed == 0
      footer.isHidden = active + completed == 0
      toggleAll.isOn = active == 0 && completed > 0
      clearButton.isHidden = completed == 0
      countLabel.attributedText = Self.text(ofCount: active)
    } catch {
      tell(error)
    }
  }

  /// The number is emphasised, as the specification requires.
  private static func text(ofCount count: Int) -> NSAttributedString {
    let text = NSMutableAttributedString(
      string: "\(count)",
      attributes: [
        .inlinePresentationIntent: InlinePresentationIntent.stronglyEmphasized.rawValue
      ])
    text.append(NSAttributedString(string: count == 1 ? " item left" : " items left"))
    return text
  }

  func tell(_ error: any Error) { showToast((error as NSError).localizedDescription) }
}
