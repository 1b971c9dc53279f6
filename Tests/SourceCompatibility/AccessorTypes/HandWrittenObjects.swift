import CoreData
import Foundation

// Names that a client may use for its own.
struct ManagedProperty {}
struct ManagedObjectClasses {}
enum CoreData {}

/// A value of a class that nothing is known of.
final class Stamp {}

/// Classes nested in one type, which name each other without it.
enum Workshop {
  final class Tool: NSManagedObject {
    @NSManaged var stamp: Stamp
    @NSManaged var drawer: Drawer
    @NSManaged var kind: Kind?
    @NSManaged var primitiveKind: Int16
    @NSManaged var title: String?
    @NSManaged var primitiveTitle: String!

    /// As custom accessors are written.
    var shownTitle: String {
      willAccessValue(forKey: "title")
      defer { didAccessValue(forKey: "title") }
      return primitiveTitle ?? "none"
    }
  }

  enum Kind: Int16 { case hammer, saw }

  final class Drawer: NSManagedObject {
    @NSManaged var tools: Set<Tool>
    @NSManaged func addTools(_ values: NSSet)
    @NSManaged func addToTools(_ values: Set<Tool>)
    @NSManaged func addToolsObject(_ value: Tool)
    @NSManaged func removeTools(_ values: NSSet)
    @NSManaged func removeFromTools(_ values: [Tool])
    @NSManaged func removeToolsObject(_ value: Tool)

    @NSManaged var queue: NSOrderedSet?
    @NSManaged func insertObject(_ value: Tool, inQueueAtIndex index: Int)
    @NSManaged func insertQueue(_ values: [Tool], atIndexes indexes: NSIndexSet)
    @NSManaged func replaceObjectInQueueAtIndex(_ index: Int, withObject value: Tool)
    @NSManaged func replaceQueueAtIndexes(_ indexes: NSIndexSet, withQueue values: [Tool])
    @NSManaged func removeObjectFromQueueAtIndex(_ index: Int)
    @NSManaged func removeQueueAtIndexes(_ indexes: NSIndexSet)
  }
}
