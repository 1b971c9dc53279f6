// What the results hold: values, faults, columns, groups.
extension NSFetchRequest {
  /// Whether the values come along with the objects; true by default.
  public final var includesPropertyValues: Bool {
    get { settings.includesPropertyValues }
    set { settings.includesPropertyValues = newValue }
  }

  /// Whether the context's unsaved changes count; true by default. Dictionaries show the store's
  /// values whatever this says.
  public final var includesPendingChanges: Bool {
    get { settings.includesPendingChanges }
    set { settings.includesPendingChanges = newValue }
  }

  /// Whether objects come as faults; true by default.
  public final var returnsObjectsAsFaults: Bool {
    get { settings.returnsObjectsAsFaults }
    set { settings.returnsObjectsAsFaults = newValue }
  }

  /// Whether equal results come once; false by default. Needs ``propertiesToFetch``.
  public final var returnsDistinctResults: Bool {
    get { settings.returnsDistinctResults }
    set { settings.returnsDistinctResults = newValue }
  }

  /// Whether objects that the context has already get the store's values; false by default.
  public final var shouldRefreshRefetchedObjects: Bool {
    get { settings.shouldRefreshRefetchedObjects }
    set { settings.shouldRefreshRefetchedObjects = newValue }
  }

  /// Key paths of relationships whose objects are read along.
  public final var relationshipKeyPathsForPrefetching: [String]? {
    get { settings.relationshipKeyPathsForPrefetching }
    set { settings.relationshipKeyPathsForPrefetching = newValue }
  }

  /// The columns of dictionaries: names, property descriptions, expression descriptions. The description
  /// of a to-many relationship traps.
  public final var propertiesToFetch: [Any]? {
    get { settings.propertiesToFetch }
    set {
      for case let relationship as NSRelationshipDescription in newValue ?? []
      where relationship.isToMany {
        fatalError("Invalid to-many relationship in setPropertiesToFetch: (\(relationship.name))")
      }
      settings.propertiesToFetch = newValue
    }
  }

  /// The columns by whose values dictionaries are grouped.
  public final var propertiesToGroupBy: [Any]? {
    get { settings.propertiesToGroupBy }
    set { settings.propertiesToGroupBy = newValue }
  }

  /// Which groups; needs ``propertiesToGroupBy``.
  public final var havingPredicate: NSPredicate? {
    get { settings.havingPredicate }
    set { settings.havingPredicate = newValue }
  }
}
