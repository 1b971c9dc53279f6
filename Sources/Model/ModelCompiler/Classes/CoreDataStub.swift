/// A stub of the module CoreData with the names that declarations of managed object classes
/// mention.
///
/// Symbols of `@NSManaged` declarations depend on types alone, so this stub suffices. It compiles
/// in half a second; the module itself takes minutes.
enum CoreDataStub {
  /// The names of all public classes, except those that need members.
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

  /// Type aliases of the generated file for names that Foundation has too.
  static let aliases = """
    public typealias NSExpression = NSManagedObject.CoreDataModule.NSExpression
    public typealias NSComparisonPredicate = NSManagedObject.CoreDataModule.NSComparisonPredicate

    """

  static let source = """
    @_exported import Foundation

    @_marker public protocol NSFetchRequestResult: AnyObject {}
    \(classNames.map { "open class \($0): NSObject {}\n" }.joined())
    open class ValueTransformer: NSObject {}
    open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {}
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
