import CoreData
import CoreDataSync

// What sync must know of items beside their model, whose user info has the rest.
extension Item {
  /// Each device makes a root at its first start: they are one. Another item without a list, such
  /// as one that a program has inserted, is itself, and comes to the end of the root.
  static var sync: SyncConfiguration {
    SyncConfiguration(
      zone: "", application: "NestedLists",
      identify: { object in
        guard let item = object as? Item, item.parent == nil else { return nil }
        return item.isRoot ? "root" : nil
      })
  }

  /// Two devices may move one list into the other, each the other one: sync opens the circle, which
  /// leaves an item without a list. It comes to the end of the root.
  static func mendRoot(in context: NSManagedObjectContext) throws -> [String] {
    try roots(in: context).count > 1 ? prepareRoot(in: context) : []
  }
}
