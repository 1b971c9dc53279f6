import ArgumentParser
import CoreData
import ListApplication

/// The application of the TodoMVC specification.
@main
struct TodoMVC: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "todomvc", abstract: "TodoMVC on a Core Data store.")

  @OptionGroup var options: ApplicationOptions

  @MainActor
  func run() async throws {
    let application = Application(
      name: "TodoMVC", bundle: .module, prepare: { try Todo.numberAnew(in: $0) }
    ) {
      TodosViewController(context: $0)
    }
    try await application.run(options, fill: Seed.fill)
  }
}
