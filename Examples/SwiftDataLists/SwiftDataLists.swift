import ArgumentParser
import ListApplication
import ListKit
import ListWeb
import SwiftData

/// NestedLists once more, on SwiftData.
@main
struct SwiftDataLists: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swiftdata-lists", abstract: "A nested to-do list on a SwiftData store.")

  @OptionGroup var windows: WindowOptions

  @Option(
    help: ArgumentHelp("The file, by default in the user's data directory.", valueName: "PLACE"))
  var store: String?

  @MainActor
  func run() async throws {
    let configuration =
      store.map { ModelConfiguration(url: URL(fileURLWithPath: $0)) } ?? ModelConfiguration()
    let container = try ModelContainer(for: Item.self, configurations: configuration)
    let context = container.mainContext
    let root = try Item.root(in: context)
    context.undoManager = UndoManager()
    let key = configuration.url.deletingPathExtension().appendingPathExtension("key")
    let host = WindowHost(
      title: "SwiftDataLists", options: windows, makeKey: { try AccessKey(file: key) }
    ) { scene in
      let window = UIWindow(windowScene: scene)
      window.rootViewController = UINavigationController(
        rootViewController: try ItemsViewController(root, in: context))
      return window
    }
    try await host.run()
    try context.save()
  }
}
