import ArgumentParser
import CoreData
import CoreDataSync
import ListApplication

/// A nested to-do list.
@main
struct NestedLists: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nested-lists", abstract: "A nested to-do list on a Core Data store.")

  @OptionGroup var options: ApplicationOptions
  @OptionGroup(title: "Sync") var syncing: SyncOptions

  @MainActor
  func run() async throws {
    let application = Application(
      name: "NestedLists", bundle: .module,
      prepare: { try Item.prepareRoot(in: $0) + Mending(context: $0).run() },
      sync: Item.sync, mend: { try Item.mendRoot(in: $0) }
    ) { context in
      let root = try Store(managedObjectContext: context).rootItem()
      return ColumnsController(
        ItemViewController(parentItem: root, context: context), style: .tripleColumn,
        nothing: NothingChosen(
          "No list chosen", explanation: "Choose an item to see the list under it.",
          later: "What you choose in that list will stand here."))
    }
    try await application.run(options, syncing: syncing) { context, count in
      guard let root = try Item.roots(in: context).first else { return }
      try Seed.fill(root, count: count, in: context)
    }
  }
}
