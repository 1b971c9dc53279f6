import CoreData
import CoreDataSync

// What sync must know of items beside their model, whose user info has the rest.
extension Item {
  /// Each device makes a root at its first start: they are one.
  static var sync: SyncConfiguration {
    SyncConfiguration(
      zone: "", application: "NestedLists",
      identify: { ($0 as? Item)?.parent == nil ? "root" : nil })
  }

  /// Two devices may move one list into the other, each the other one: sync opens the circle, which
  /// leaves an item without a list. It comes to the end of the root.
  static func mendRoot(in context: NSManagedObjectContext) throws -> [String] {
    try roots(in: context).count > 1 ? prepareRoot(in: context) : []
  }
}
