import ArgumentParser
import CoreData
import CoreDataSync
import ListApplication

/// A grouped inventory.
@main
struct GoodsApplication: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "goods", abstract: "An inventory in categories on a Core Data store.")

  @OptionGroup var options: ApplicationOptions
  @OptionGroup(title: "Sync") var syncing: SyncOptions

  @Option(
    name: .customLong("import"),
    help: ArgumentHelp(
      "Import N rows in the background, as the Import button does.", valueName: "N"))
  var importCount = 0

  func validate() throws {
    guard (0...Importer.mostRows).contains(importCount) else {
      throw ValidationError(
        "--import takes a number of rows up to \(Importer.mostRows), not \(importCount).")
    }
  }

  @MainActor
  func run() async throws {
    let application = Application(name: "Goods", bundle: .module, sync: Goods.sync) { context in
      GoodsViewController(context: context)
    }
    let count = importCount
    try await application.run(options, syncing: syncing, fill: Catalogue.fill) { stack in
      guard count > 0 else { return }
      do { try await Importer(context: stack.makeBackgroundContext()).run(count) } catch let error
        as NSError where !(error is CancellationError)
      {
        throw ImportError(reason: error.localizedDescription)
      }
    }
  }
}

private struct ImportError: LocalizedError {
  let reason: String
  var errorDescription: String? { "not imported: \(reason)" }
}
