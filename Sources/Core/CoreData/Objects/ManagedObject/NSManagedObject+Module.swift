import Predicates

extension NSManagedObject {
  /// The module's names for generated code. A client's own type of such a name, even one called
  /// `CoreData`, does not shadow them.
  public enum CoreDataModule {
    /// The registry of managed object classes.
    public typealias ManagedObjectClasses = CoreData.ManagedObjectClasses
    /// The models that the build plugin has embedded.
    public typealias EmbeddedModels = CoreData.EmbeddedModels
    /// The resource bundles of the program's targets.
    public typealias ResourceBundles = CoreData.ResourceBundles
    /// The expression class of predicates.
    public typealias NSExpression = Predicates.NSExpression
    /// The comparison class of predicates.
    public typealias NSComparisonPredicate = Predicates.NSComparisonPredicate
  }
}
