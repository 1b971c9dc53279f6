import ArgumentParser
import CoreData
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
    PrivateFiles.begin()
    let configuration =
      store.map { ModelConfiguration(url: URL(fileURLWithPath: $0)) } ?? ModelConfiguration()
    let container = try ModelContainer(for: Item.self, configurations: configuration)
    _ = try Item.root(in: container.mainContext)
    let key = configuration.url.deletingPathExtension().appendingPathExtension("key")
    let host = WindowHost(
      title: "SwiftDataLists", options: windows, makeKey: { try AccessKey(file: key, isNew: $0) }
    ) { scene in
      try Self.makeWindow(scene, on: container)
    }
    try await host.run()
    guard await SavingScene.finish() else { throw ExitCode.failure }
  }

  /// A window has changes and an undo manager of its own.
  @MainActor
  private static func makeWindow(
    _ scene: UIWindowScene, on container: ModelContainer
  ) throws -> UIWindow {
    let context = container.makeMainContext()
    context.undoManager = UndoManager()
    // The scene saves at the end of each event, and tells what keeps it from that.
    context.autosaveEnabled = false
    context.savesBeforeMerging = true
    context.managedObjectContext.mergePolicy = WindowMergePolicy()
    let navigation = UINavigationController(
      rootViewController: try ItemsViewController(Item.root(in: context), in: context))
    scene.delegate = SavingScene(
      scene, context: context.managedObjectContext, rootViewController: navigation
    ) { _ in try context.save() }
    let window = UIWindow(windowScene: scene)
    window.rootViewController = navigation
    return window
  }
}
