import CoreData
import ListApplication

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// All employees by decade of birth. The table follows the fetched results controller by hand, and
/// the prompt shows the controller's last changes.
final class EmployeesViewController: UITableViewController {
  let context: NSManagedObjectContext
  let controller: NSFetchedResultsController<Employee>
  private lazy var undoButtons = UndoButtons(context: context)
  private let emptyView = EmptyView(frame: .zero)
  var changeLine = ChangeLine()
  // The current batch of changes.
  var insertedSections = IndexSet()
  var deletedSections = IndexSet()
  var movedRows: [IndexPath] = []

  private static let pageSize = 20

  init(context: NSManagedObjectContext) {
    self.context = context
    let request = Employee.fetchRequest()
    request.sortDescriptors = [
      NSSortDescriptor(key: "sectionName", ascending: true),
      NSSortDescriptor(key: "name", ascending: true),
    ]
    request.fetchBatchSize = 50
    request.relationshipKeyPathsForPrefetching = ["department"]
    controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "sectionName",
      cacheName: nil)
    super.init(style: .plain)
    title = "Employees"
  }

  required init?(coder: NSCoder) { nil }

  override var undoManager: UndoManager? { context.undoManager }

  override func viewDidLoad() {
    super.viewDidLoad()
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: "Employee")
    tableView.backgroundView = emptyView
    navigationItem.prompt = changeLine.text
    let add = UIAction(title: "Add more data") { [weak self] _ in self?.addMoreData() }
    navigationItem.rightBarButtonItems = [UIBarButtonItem(primaryAction: add)] + undoButtons.items
    navigationItem.leftBarButtonItem = editButtonItem
    controller.delegate = self
    fetch()
  }

  private func fetch() {
    do {
      try controller.performFetch()
      emptyView.show(
        "No employees yet",
        explanation: "Employees stand here by decade of birth, and above them what has changed.",
        action: UIAction(title: "Add employees") { [weak self] _ in self?.addMoreData() })
    } catch {
      emptyView.showFailure(of: "Employees") { [weak self] in
        self?.fetch()
        self?.tableView.reloadData()
      }
      show(error)
    }
  }

  func configure(_ cell: UITableViewCell, with employee: Employee) {
    var content = UIListContentConfiguration.subtitleCell()
    content.text = employee.name
    let locale = self.locale
    content.secondaryText = [
      employee.department?.name,
      employee.birthday.map { "born \(Day.words($0, in: locale))" },
      Numeral.words(employee.heightText, in: locale).map { "\($0) m" },
    ].compactMap { $0 }.joined(separator: " · ")
    cell.contentConfiguration = content
    cell.restorationIdentifier = employee.restorationIdentifier
    cell.accessibilityHint = "edits"
  }

  // MARK: - Data source

  override func numberOfSections(in tableView: UITableView) -> Int {
    controller.sections?.count ?? 0
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    controller.sections?[section].numberOfObjects ?? 0
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "Employee", for: indexPath)
    configure(cell, with: controller.object(at: indexPath))
    return cell
  }

  override func tableView(
    _ tableView: UITableView, titleForHeaderInSection section: Int
  ) -> String? {
    controller.sections?[section].name
  }

  override func sectionIndexTitles(for tableView: UITableView) -> [String]? {
    controller.sectionIndexTitles
  }

  override func tableView(
    _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
  ) -> Int {
    controller.section(forSectionIndexTitle: title, at: index)
  }

  override func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
    true
  }

  // MARK: - From the page to the context

  private func addMoreData() {
    do {
      let page = try Roster.addPage(of: Self.pageSize, to: context)
      save("Add \(page.count) employees")
      if let first = page.first { scroll(to: first) }
    } catch {
      show(error)
    }
  }

  override func tableView(
    _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
    forRowAt indexPath: IndexPath
  ) {
    guard editingStyle == .delete else { return }
    let employee = controller.object(at: indexPath)
    let name = employee.name ?? ""
    context.delete(employee)
    save("Delete “\(name)”")
    tellDeleted(name, undoManager: context.undoManager, undo: context.undo)
  }

  override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    let employee = controller.object(at: indexPath)
    if isBesideDetail { return show(employee) }
    tableView.deselectRow(at: indexPath, animated: true)
    ask(about: employee, on: self)
  }

  /// Whether the list stands beside what it leads to.
  var isBesideDetail: Bool { columnsController?.isCollapsed == false }

  func show(_ employee: Employee) {
    let page = EmployeeViewController(employee: employee) { [weak self] in
      self?.ask(about: $0, on: $1)
    }
    columnsController?.showNext(page, from: self)
  }

  func edit(_ employee: Employee, _ texts: [String?]) throws {
    try employee.take(
      name: texts[0], height: texts[1], birthday: texts[2], department: texts[3], locale: locale)
    save("Edit “\(employee.name ?? "")”")
    scroll(to: employee)
  }

  /// Scrolls to the row of an employee.
  private func scroll(to employee: Employee) {
    guard let path = controller.indexPath(forObject: employee) else { return }
    tableView.scrollToRow(at: path, at: .none, animated: true)
  }

  // MARK: - Saving

  private func save(_ actionName: String) {
    context.undoManager?.setActionName(actionName)
    do { try context.save() } catch { show(error) }
  }

  private func show(_ error: any Error) {
    showToast(words(for: error))
  }
}
