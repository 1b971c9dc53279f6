import ArgumentParser
import CoreData
import ListApplication

/// A grouped inventory.
@main
struct GoodsApplication: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "goods", abstract: "An inventory in categories on a Core Data store.")

  @OptionGroup var options: ApplicationOptions

  @Option(
    name: .customLong("import"),
    help: ArgumentHelp(
      "Import N rows in the background, as the Import button does.", valueName: "N"))
  var importCount = 0

  func validate() throws {
    guard importCount >= 0 else {
      throw ValidationError("--import takes a number of rows, not \(importCount).")
    }
  }

  @MainActor
  func run() async throws {
    let application = Application(name: "Goods", bundle: .module) { context in
      GoodsViewController(context: context)
    }
    try await application.run(
      options, fill: Catalogue.fill,
      onRunning: { stack in if importCount > 0 { Self.importRows(importCount, into: stack) } })
  }

  private static func importRows(_ count: Int, into stack: PersistentStack) {
    let importer = Importer(coordinator: stack.persistentStoreCoordinator)
    Task {
      do {
        try await importer.run(count)
      } catch {
        let text = "goods: not imported: \((error as NSError).localizedDescription)\n"
        FileHandle.standardError.write(Data(text.utf8))
      }
    }
  }
}
