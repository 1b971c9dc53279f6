import CoreData

/// The items of one context, from the root down.
@MainActor
final class Store {
  let managedObjectContext: NSManagedObjectContext
  private let defaults: UserDefaults

  init(managedObjectContext: NSManagedObjectContext, defaults: UserDefaults = .standard) {
    self.managedObjectContext = managedObjectContext
    self.defaults = defaults
  }

  /// The item that has no parent, whose list everything begins with; made when there is none.
  func rootItem() throws -> Item {
    if let item = rememberedRoot { return item }
    let item = try Item.roots(in: managedObjectContext).first ?? makeRoot()
    defaults.set(item.objectID.uriRepresentation().absoluteString, forKey: Self.rootKey)
    // On Linux nothing reaches the disk without being asked to.
    defaults.synchronize()
    return item
  }

  private static let rootKey = "NestedListsRootItem"

  /// The root of the last run, without a fetch. The store's own UUID is in the URI, so that another
  /// store's root is never taken for it.
  private var rememberedRoot: Item? {
    guard let text = defaults.string(forKey: Self.rootKey), let url = URL(string: text),
      let id = managedObjectContext.persistentStoreCoordinator?
        .managedObjectID(forURIRepresentation: url),
      // A root that has been deleted by other means is looked for again.
      let item = try? managedObjectContext.existingObject(with: id) as? Item, item.parent == nil
    else { return nil }
    return item
  }

  /// The root is no step of undo.
  private func makeRoot() throws -> Item {
    let undoManager = managedObjectContext.undoManager
    managedObjectContext.undoManager = nil
    defer { managedObjectContext.undoManager = undoManager }
    let item = Item.insertRoot(in: managedObjectContext)
    try managedObjectContext.save()
    return item
  }
}
