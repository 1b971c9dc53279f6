import CoreData
import ListApplication

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// One employee, beside the list in a wide window. The form of the list edits the values.
final class EmployeeViewController: UITableViewController {
  private let employee: Employee
  private let edit: @MainActor (Employee, UIViewController) -> Void
  private var changes: NotificationObservation?

  /// - Parameter edit: presents the form for the employee on a controller.
  init(employee: Employee, edit: @escaping @MainActor (Employee, UIViewController) -> Void) {
    self.employee = employee
    self.edit = edit
    super.init(style: .insetGrouped)
    restorationIdentifier = employee.restorationIdentifier
  }

  required init?(coder: NSCoder) { nil }

  override var undoManager: UndoManager? { employee.managedObjectContext?.undoManager }

  override func viewDidLoad() {
    super.viewDidLoad()
    tableView.allowsSelection = false
    navigationItem.rightBarButtonItem = UIBarButtonItem(
      systemItem: .edit,
      primaryAction: UIAction { [weak self] _ in
        guard let self else { return }
        edit(employee, self)
      })
    title = employee.name
    changes = NotificationObservation(
      of: .NSManagedObjectContextObjectsDidChange, object: employee.managedObjectContext
    ) { [weak self] _ in self?.follow() }
  }

  private func follow() {
    guard !employee.isDeleted, employee.managedObjectContext != nil else {
      columnsController?.leave(self)
      return
    }
    title = employee.name
    tableView.reloadData()
  }

  private var rows: [(label: String, text: String?)] {
    [
      ("Name", employee.name),
      ("Height", Numeral.words(employee.heightText, in: locale).map { "\($0) m" }),
      ("Birthday", employee.birthday.map { Day.words($0, in: locale) }),
      ("Department", employee.department?.name),
    ]
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    rows.count
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = UITableViewCell(style: .value1, reuseIdentifier: nil)
    cell.textLabel?.text = rows[indexPath.row].label
    cell.detailTextLabel?.text = rows[indexPath.row].text
    return cell
  }
}
