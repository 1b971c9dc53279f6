import CoreData
import ListApplication

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

// What the list asks its user.
extension EmployeesViewController {
  func ask(about employee: Employee) {
    let path = controller.indexPath(forObject: employee)
    FieldsAlert(
      title: employee.name ?? "", message: path.map { "Index path \(ChangeLine.text($0))" },
      button: "Save",
      fields: [
        .init("Name", employee.name ?? ""),
        .init("Height in metres", employee.heightText, keyboardType: .decimalPad),
        .init("Birthday", employee.birthdayText),
        .init("Department", employee.department?.name ?? ""),
      ], identifier: employee.restorationIdentifier
    ) { [weak self] texts in try self?.edit(employee, texts) }.present(on: self)
  }
}

// Each question has a name in the place of the window.
extension EmployeesViewController: ScreenRestoration {
  func showScreen(withRestorationIdentifier identifier: String) -> Bool {
    let employee = context.object(
      withRestorationIdentifier: identifier[...], entity: "Employee", as: Employee.self)
    if let employee { ask(about: employee) }
    return employee != nil
  }
}
