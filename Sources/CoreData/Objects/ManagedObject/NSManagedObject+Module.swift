import Predicates

extension NSManagedObject {
  /// The module's names for generated code: a client's own type, even one that is called `CoreData`, is never
  /// taken for one of these.
  public enum CoreDataModule {
    public typealias ManagedObjectClasses = CoreData.ManagedObjectClasses
    public typealias EmbeddedModels = CoreData.EmbeddedModels
    public typealias ResourceBundles = CoreData.ResourceBundles
    public typealias NSExpression = Predicates.NSExpression
    public typealias NSComparisonPredicate = Predicates.NSComparisonPredicate
  }
}
