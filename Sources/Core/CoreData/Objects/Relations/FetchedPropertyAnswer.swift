import KeyValueCoding

/// The results of a fetched property for one object, kept until the object becomes a fault.
///
/// The results are valid for the request with its variables substituted. If a value that the
/// predicate reads from the object or from the property's user info changes, the request is
/// executed again.
///
/// Source: developer.apple.com/documentation/coredata/nsfetchedpropertydescription
struct FetchedPropertyAnswer {
  enum Results {
    /// Identities rather than objects, which could keep each other and themselves alive.
    case objects([NSManagedObjectID])
    case values([AnyObject])
  }

  /// The values of the variables' key paths, in the order of the predicate.
  private let variables: [TypedValue]
  let results: Results

  init(_ results: [AnyObject], for variables: [TypedValue]) {
    self.variables = variables
    let objects = results.compactMap { ($0 as? NSManagedObject)?.objectID }
    self.results = objects.count == results.count ? .objects(objects) : .values(results)
  }

  func belongs(to variables: [TypedValue]) -> Bool { self.variables == variables }
}
