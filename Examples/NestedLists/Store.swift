import CoreData

/// The items of one context, starting at the root.
@MainActor
final class Store {
  let managedObjectContext: NSManagedObjectContext
  private let defaults: UserDefaults

  init(managedObjectContext: NSManagedObjectContext, defaults: UserDefaults = .standard) {
    self.managedObjectContext = managedObjectContext
    self.defaults = defaults
  }

  /// The item without a parent, with which everything begins; created if there is none.
  func rootItem() throws -> Item {
    if let item = rememberedRoot { return item }
    let item = try Item.roots(in: managedObjectContext).first ?? makeRoot()
    defaults.set(item.objectID.uriRepresentation().absoluteString, forKey: Self.rootKey)
    // On Linux, user defaults are written to disk only on request.
    defaults.synchronize()
    return item
  }

  private static let rootKey = "NestedListsRootItem"

  /// The root of the last run, found without a fetch. Its URI contains the store's UUID, so another
  /// store's root is never returned.
  private var rememberedRoot: Item? {
    guard let text = defaults.string(forKey: Self.rootKey), let url = URL(string: text),
      let id = managedObjectContext.persistentStoreCoordinator?
        .managedObjectID(forURIRepresentation: url),
      // A deleted root is fetched again by the caller.
      let item = try? managedObjectContext.existingObject(with: id) as? Item, item.parent == nil
    else { return nil }
    return item
  }

  /// Creates the root without registering an undo action.
  private func makeRoot() throws -> Item {
    let undoManager = managedObjectContext.undoManager
    managedObjectContext.undoManager = nil
    defer { managedObjectContext.undoManager = undoManager }
    let item = Item.insertRoot(in: managedObjectContext)
    try managedObjectContext.save()
    return item
  }
}
