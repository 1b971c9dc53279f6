import ArgumentParser
import CoreData
import ListKit
import ListWeb

/// A nested to-do list.
@main
struct NestedLists: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nested-lists", abstract: "A nested to-do list on a Core Data store.")

  @Flag(help: "Show the lists in a browser (the default).")
  var web = false

  @Option(help: ArgumentHelp("The port to listen on; 0 takes a free one.", valueName: "N"))
  var port = 8080

  @Option(
    help: ArgumentHelp(
      "The SQLite file; by default in the user's data directory.", valueName: "PATH"))
  var store: String?

  @Option(help: ArgumentHelp("Fill an empty store with N made-up items.", valueName: "N"))
  var seed = 0

  func validate() throws {
    guard (0...65535).contains(port) else { throw ValidationError("A port is 0 to 65535.") }
    guard seed >= 0 else { throw ValidationError("--seed takes a number of items, not \(seed).") }
  }

  @MainActor
  func run() async throws {
    do {
      try await serve()
    } catch {
      FileHandle.standardError.write(Data("nested-lists: \(Self.text(of: error))\n".utf8))
      throw ExitCode.failure
    }
  }

  @MainActor
  private func serve() async throws {
    let stack = try PersistentStack(modelURL: Self.modelURL, storeURL: try storeURL())
    try fillIfAsked(stack)
    // The scenes' delegates live as long as their windows.
    let server = ListWebServer(title: "NestedLists", port: port) { scene in
      let lists = try ListsScene(stack: stack)
      scene.delegate = lists
      let window = UIWindow(windowScene: scene)
      window.rootViewController = lists.navigationController
      return window
    }
    try await server.run { address in
      let line = "NestedLists is at \(address.absoluteString)\n"
      FileHandle.standardOutput.write(Data(line.utf8))
    }
  }

  @MainActor
  private func fillIfAsked(_ stack: PersistentStack) throws {
    guard seed > 0 else { return }
    let context = stack.makeContext()
    context.undoManager = nil
    let root = try Store(managedObjectContext: context).rootItem()
    try Seed.fill(root, count: seed, in: context)
  }

  private static var modelURL: URL {
    get throws {
      guard let url = Bundle.module.url(forResource: "NestedLists", withExtension: "momd") else {
        throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "NestedLists.momd"])
      }
      return url
    }
  }

  private func storeURL() throws -> URL {
    if let store { return URL(fileURLWithPath: store) }
    let folder = NSPersistentContainer.defaultDirectoryURL()
      .appendingPathComponent("NestedLists", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.appendingPathComponent("NestedLists.sqlite")
  }

  /// What happened, why, and what to do, as far as the error knows it.
  private static func text(of error: any Error) -> String {
    let error = error as NSError
    let parts = [
      error.localizedDescription, error.localizedFailureReason,
      error.localizedRecoverySuggestion ?? advice(error),
    ]
    return parts.compactMap { $0 }.reduce(into: [String]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    .joined(separator: " ")
  }

  private static func advice(_ error: NSError) -> String? {
    guard error.domain == NSCocoaErrorDomain,
      error.code == NSPersistentStoreIncompatibleVersionHashError
    else { return nil }
    return "The file is of another application, or of another version of this one; it was left as "
      + "it is. Choose another file with --store."
  }
}
