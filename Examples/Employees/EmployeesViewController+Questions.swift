import CoreData
import ListApplication

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

// The list's form for an employee.
extension EmployeesViewController {
  func ask(about employee: Employee) {
    let path = controller.indexPath(forObject: employee)
    let texts = employee.texts
    FieldsAlert(
      title: employee.name ?? "", message: path.map { "Index path \(ChangeLine.text($0))" },
      button: "Save",
      fields: [
        .init("Name", texts[0]), .init("Height in metres", texts[1], keyboardType: .decimalPad),
        .init("Birthday", texts[2]), .init("Department", texts[3]),
      ], identifier: employee.restorationIdentifier,
      now: {
        // Another window may have deleted the employee meanwhile.
        guard !employee.isDeleted, employee.managedObjectContext != nil else {
          throw Refusal("This employee has been deleted.")
        }
        return employee.texts
      }
    ) { [weak self] texts in try self?.edit(employee, texts) }.present(on: self)
  }
}

// Paths of windows contain the restoration identifier of the form.
extension EmployeesViewController: ScreenRestoration {
  func showScreen(withRestorationIdentifier identifier: String) -> Bool {
    let employee = context.object(
      withRestorationIdentifier: identifier[...], entity: "Employee", as: Employee.self)
    if let employee { ask(about: employee) }
    return employee != nil
  }
}
