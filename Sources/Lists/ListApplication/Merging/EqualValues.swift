import CoreData

extension NSManagedObjectContext {
  /// Returns true if several objects of a request have equal values of some properties. Computed by
  /// the store, without creating objects.
  package func hasEqualValues<Object: NSManagedObject>(
    _ properties: [String], of request: NSFetchRequest<Object>
  ) throws -> Bool {
    !(try equalValues(properties, of: request, limit: 1)).isEmpty
  }

  /// The values of properties that several objects of a request share; a `limit` of 0 returns all.
  package func equalValues<Object: NSManagedObject>(
    _ properties: [String], of request: NSFetchRequest<Object>, limit: Int = 0
  ) throws -> [NSDictionary] {
    let count = NSExpressionDescription()
    count.name = "countOfObjects"
    count.expression = NSExpression(
      forFunction: "count:", arguments: [NSExpression(forKeyPath: properties[0])])
    count.expressionResultType = .integer64AttributeType
    let groups = NSFetchRequest<NSDictionary>(entityName: request.entityName ?? "")
    groups.predicate = request.predicate
    groups.resultType = .dictionaryResultType
    groups.propertiesToFetch = properties + [count]
    groups.propertiesToGroupBy = properties
    groups.havingPredicate = NSPredicate(
      format: "%@ > 1", NSExpression(forVariable: "countOfObjects"))
    groups.fetchLimit = limit
    return try fetch(groups)
  }
}
