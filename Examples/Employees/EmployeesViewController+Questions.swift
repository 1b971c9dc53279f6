import CoreData
import ListApplication

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

// The list's form for an employee.
extension EmployeesViewController {
  func ask(about employee: Employee, on presenter: UIViewController) {
    let path = controller.indexPath(forObject: employee)
    let texts = employee.texts
    FormViewController(
      title: "Edit employee", button: "Save",
      fields: [
        FormField("name", label: "Name", text: texts[0]),
        FormField(
          "height", label: "Height", text: texts[1], kind: .decimal(unit: "m", spoken: "metres")),
        FormField("birthday", label: "Birthday", text: texts[2], kind: .day(isRequired: true)),
        FormField("department", label: "Department", text: texts[3]),
      ], identifier: presenter === self ? employee.restorationIdentifier : nil,
      note: path.map { "Index path \(ChangeLine.text($0))" },
      now: {
        // Another window may have deleted the employee meanwhile.
        guard !employee.isDeleted, employee.managedObjectContext != nil else {
          throw Refusal("This employee has been deleted.")
        }
        return employee.texts
      }
    ) { [weak self] texts in try self?.edit(employee, texts) }.present(on: presenter)
  }
}

extension EmployeesViewController: ColumnList {
  func indexPath(ofRowLeadingTo identifier: String) -> IndexPath? {
    employee(identifier).flatMap(controller.indexPath(forObject:))
  }

  private func employee(_ identifier: String) -> Employee? {
    context.object(
      withRestorationIdentifier: identifier[...], entity: "Employee", as: Employee.self)
  }
}

// Paths of windows contain the identifier of the employee, who is shown beside the list or, in a
// narrow window, in the form.
extension EmployeesViewController: ScreenRestoration {
  func showScreen(withRestorationIdentifier identifier: String) -> Bool {
    guard let employee = employee(identifier) else { return false }
    if isBesideDetail { show(employee) } else { ask(about: employee, on: self) }
    return true
  }
}
