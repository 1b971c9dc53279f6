import ArgumentParser
import ListApplication

/// A roster that shows how a list and a context keep each other up to date.
@main
struct Employees: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "employees", abstract: "A roster on a Core Data store, watched at work.")

  @OptionGroup var options: ApplicationOptions

  @MainActor
  func run() async throws {
    let application = Application(name: "Employees", bundle: .module) { context in
      ColumnsController(
        EmployeesViewController(context: context), style: .doubleColumn,
        nothing: NothingChosen(
          "No employee chosen", explanation: "Choose one in the list to see them here."))
    }
    try await application.run(options, fill: Roster.fill)
  }
}
