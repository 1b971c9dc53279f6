/// A module of CoreData's name with just what declarations of managed object classes mention.
///
/// The compiler gives the symbols of a target's `@NSManaged` declarations their names from types
/// alone, so these few stand in for the module itself, which takes minutes to build where this
/// takes half a second.
enum CoreDataStub {
  static let source = """
    @_exported import Foundation

    public typealias NSFetchRequestResult = AnyObject
    open class NSManagedObjectContext: NSObject {}
    open class NSEntityDescription: NSObject {}
    open class NSManagedObjectID: NSObject {}
    open class NSFetchRequest<ResultType>: NSObject {}

    open class NSManagedObject: NSObject {
      public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {}
      public convenience init(context: NSManagedObjectContext) { fatalError("a stub is compiled, never run") }
    }
    """
}
