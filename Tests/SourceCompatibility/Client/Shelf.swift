public import CoreData
import Foundation

// The model says "Manual/None": everything is written by hand, as Xcode's menu command writes it.
public class Shelf: NSManagedObject {

}

extension Shelf {

  @nonobjc public class func fetchRequest() -> NSFetchRequest<Shelf> {
    return NSFetchRequest<Shelf>(entityName: "Shelf")
  }

  @NSManaged public var name: String?
  @NSManaged public var order: Int64
  @NSManaged public var books: NSOrderedSet?

}

// MARK: Generated accessors for books
extension Shelf {

  @NSManaged public func addToBooks(_ value: Book)

  @NSManaged public func removeFromBooks(_ value: Book)

}
