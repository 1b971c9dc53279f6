import CoreData

extension NSManagedObjectContext {
  /// The objects of an entity that have these values.
  ///
  /// What SQL cannot compare, the contents of transformable and composite attributes, is compared
  /// here, as it is printed.
  ///
  /// - Parameter limit: the greatest number of objects to find.
  func objects(
    of entity: NSEntityDescription, with values: [(name: String, value: Any)], limit: Int,
    includesPendingChanges: Bool = true
  ) throws -> [NSManagedObject] {
    let (coded, plain) = values.divided(by: { Self.isCoded(entity.attributesByName[$0.name]) })
    let request = NSFetchRequest<NSManagedObject>()
    request.entity = entity
    request.predicate = NSCompoundPredicate(
      andPredicateWithSubpredicates: plain.map { name, value in
        // Not by a format: a value of any type, and never nil.
        NSComparisonPredicate(
          leftExpression: NSExpression(forKeyPath: name),
          rightExpression: NSExpression(forConstantValue: value), modifier: .direct,
          type: .equalTo)
      })
    request.includesPendingChanges = includesPendingChanges
    if coded.isEmpty { request.fetchLimit = limit }
    let found = try fetch(request).filter { object in
      coded.allSatisfy { name, value in
        object.value(forKeyPath: name).map { CellText.text(of: $0) } == CellText.text(of: value)
      }
    }
    return Array(found.prefix(limit))
  }

  private static func isCoded(_ attribute: NSAttributeDescription?) -> Bool {
    attribute.map {
      [.transformableAttributeType, .compositeAttributeType].contains($0.attributeType)
    } ?? false
  }
}

extension Array {
  fileprivate func divided(by isFirst: (Element) -> Bool) -> (first: [Element], rest: [Element]) {
    (filter(isFirst), filter { !isFirst($0) })
  }
}
