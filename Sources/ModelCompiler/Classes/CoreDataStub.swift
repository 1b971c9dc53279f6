/// A module of CoreData's name with just what declarations of managed object classes mention.
///
/// The compiler gives the symbols of a target's `@NSManaged` declarations their names from types
/// alone, so these few stand in for the module itself, which takes minutes to build where this
/// takes half a second.
enum CoreDataStub {
  /// All public classes, but those that need more than a name.
  static let classNames = [
    "NSAsynchronousFetchRequest<ResultType>", "NSAsynchronousFetchResult<ResultType>",
    "NSAtomicStore", "NSAtomicStoreCacheNode", "NSAttributeDescription", "NSBatchDeleteRequest",
    "NSBatchDeleteResult", "NSBatchInsertRequest", "NSBatchInsertResult", "NSBatchUpdateRequest",
    "NSBatchUpdateResult", "NSComparisonPredicate", "NSCompositeAttributeDescription",
    "NSConstraintConflict", "NSDerivedAttributeDescription", "NSEntityDescription",
    "NSEntityMapping", "NSEntityMigrationPolicy", "NSExpression", "NSExpressionDescription",
    "NSFetchIndexDescription", "NSFetchIndexElementDescription", "NSFetchRequest<ResultType>",
    "NSFetchRequestExpression", "NSFetchedPropertyDescription",
    "NSFetchedResultsController<ResultType>", "NSIncrementalStore", "NSIncrementalStoreNode",
    "NSManagedObjectContext", "NSManagedObjectID", "NSManagedObjectModel", "NSMappingModel",
    "NSMergeConflict", "NSMergePolicy", "NSMigrationManager", "NSPersistentCloudKitContainer",
    "NSPersistentContainer", "NSPersistentHistoryChange", "NSPersistentHistoryChangeRequest",
    "NSPersistentHistoryResult", "NSPersistentHistoryToken", "NSPersistentHistoryTransaction",
    "NSPersistentStore", "NSPersistentStoreAsynchronousResult", "NSPersistentStoreCoordinator",
    "NSPersistentStoreDescription", "NSPersistentStoreRequest", "NSPersistentStoreResult",
    "NSPropertyDescription", "NSPropertyMapping", "NSQueryGenerationToken",
    "NSRelationshipDescription", "NSSaveChangesRequest",
  ]

  /// What the generated file says of names that Foundation has too.
  static let aliases = """
    public typealias NSExpression = NSManagedObject.CoreDataModule.NSExpression
    public typealias NSComparisonPredicate = NSManagedObject.CoreDataModule.NSComparisonPredicate

    """

  static let source = """
    @_exported import Foundation

    @_marker public protocol NSFetchRequestResult: AnyObject {}
    \(classNames.map { "open class \($0): NSObject {}\n" }.joined())
    open class NSManagedObject: NSObject {
      public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {}
      public enum CoreDataModule {
        public typealias NSExpression = CoreData.NSExpression
        public typealias NSComparisonPredicate = CoreData.NSComparisonPredicate
      }
      public convenience init(context: NSManagedObjectContext) { fatalError("a stub is compiled, never run") }
    }
    """
}
