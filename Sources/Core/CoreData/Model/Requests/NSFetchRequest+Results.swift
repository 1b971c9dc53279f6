// Settings about the form of the results: values, faults, columns, groups.
extension NSFetchRequest {
  /// Whether the values are read together with the objects; true by default.
  public final var includesPropertyValues: Bool {
    get { settings.includesPropertyValues }
    set { settings.includesPropertyValues = newValue }
  }

  /// Whether the context's unsaved changes are included; true by default. Dictionaries show the
  /// store's values regardless.
  public final var includesPendingChanges: Bool {
    get { settings.includesPendingChanges }
    set { settings.includesPendingChanges = newValue }
  }

  /// Whether objects come as faults; true by default.
  public final var returnsObjectsAsFaults: Bool {
    get { settings.returnsObjectsAsFaults }
    set { settings.returnsObjectsAsFaults = newValue }
  }

  /// Whether equal results are returned once; false by default. Needs ``propertiesToFetch``.
  public final var returnsDistinctResults: Bool {
    get { settings.returnsDistinctResults }
    set { settings.returnsDistinctResults = newValue }
  }

  /// Whether objects already in the context get the store's values; false by default.
  public final var shouldRefreshRefetchedObjects: Bool {
    get { settings.shouldRefreshRefetchedObjects }
    set { settings.shouldRefreshRefetchedObjects = newValue }
  }

  /// The key paths of relationships whose objects are fetched in advance.
  public final var relationshipKeyPathsForPrefetching: [String]? {
    get { settings.relationshipKeyPathsForPrefetching }
    set { settings.relationshipKeyPathsForPrefetching = newValue }
  }

  /// The columns of dictionaries: names, property descriptions or expression descriptions. Setting
  /// the description of a to-many relationship traps.
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

  /// The columns by whose values the rows of dictionaries are grouped.
  public final var propertiesToGroupBy: [Any]? {
    get { settings.propertiesToGroupBy }
    set { settings.propertiesToGroupBy = newValue }
  }

  /// The predicate that selects groups; needs ``propertiesToGroupBy``.
  public final var havingPredicate: NSPredicate? {
    get { settings.havingPredicate }
    set { settings.havingPredicate = newValue }
  }
}
