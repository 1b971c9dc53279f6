import Predicates

extension NSManagedObject {
  /// The module's names for generated code. A client's own type of such a name, even one called
  /// `CoreData`, does not shadow them.
  public enum CoreDataModule {
    public typealias ManagedObjectClasses = CoreData.ManagedObjectClasses
    public typealias EmbeddedModels = CoreData.EmbeddedModels
    public typealias ResourceBundles = CoreData.ResourceBundles
    public typealias NSExpression = Predicates.NSExpression
    public typealias NSComparisonPredicate = Predicates.NSComparisonPredicate
  }
}
