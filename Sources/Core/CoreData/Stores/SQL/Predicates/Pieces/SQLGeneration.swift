/// Errors for parts of predicates and sort descriptors that have no SQL.
enum SQLGeneration {
  static func unsupported(_ what: String, in predicate: NSPredicate? = nil) -> NSError {
    let place = predicate.map { " in the predicate \(shape(of: $0))" } ?? ""
    return CoreDataError.make(
      .coreData,
      reason:
        "A fetch from a SQLite store cannot use \(what)\(place). Fetch with a wider predicate "
        + "and filter the objects.")
  }

  static func selector(of comparison: NSComparisonPredicate) -> NSError {
    unsupported(
      "the operator \(comparison.customSelectorName ?? ""), a selector", in: comparison)
  }

  static func unknownKey(_ key: String, layout: EntityLayout) -> NSError {
    CoreDataError.make(
      .coreData,
      reason: "keypath \(key) not found in entity \(layout.entity.name ?? "")")
  }

  static func toMany(_ name: String) -> NSError {
    CoreDataError.make(
      .coreData,
      reason: "to-many key not allowed here: “\(name)”; use ANY, ALL, SUBQUERY, CONTAINS or @count "
        + "with it")
  }

  static func notACollection(in predicate: NSPredicate) -> NSError {
    CoreDataError.make(
      .coreData,
      reason: "The left hand side for an ALL or ANY operator must be a to-many relationship, an "
        + "NSArray or an NSSet, in the predicate \(shape(of: predicate)).")
  }

  static func nilRightSide(in predicate: NSPredicate) -> NSError {
    CoreDataError.make(
      .coreData,
      reason:
        "Invalid predicate: nil RHS in the predicate \(shape(of: predicate)). Nothing is less "
        + "or greater than nil: compare with == nil or != nil.")
  }

  static func function(_ name: String) -> NSError {
    CoreDataError.make(
      .coreData,
      reason:
        "Unsupported function expression \(name) in a fetch from a SQLite store. Fetch with a "
        + "wider predicate and filter the objects.")
  }

  static func singleValue(_ function: String) -> NSError {
    unsupported("\(function) of a single value of one object")
  }

  static func tooDeep(limit: Int) -> NSError {
    CoreDataError.make(
      .coreData,
      reason:
        "A predicate that is nested deeper than \(limit) levels cannot be put into SQL. Put "
        + "conditions that AND or OR connects into one compound, and values into one IN.")
  }

  static func order(_ what: String) -> NSError {
    CoreDataError.make(
      .coreData,
      reason: "unsupported NSSortDescriptor (\(what)). Fetch without it and sort the objects.")
  }

  private static func shape(of predicate: NSPredicate) -> String {
    "“\(predicate.formatWithoutValues)”"
  }
}
