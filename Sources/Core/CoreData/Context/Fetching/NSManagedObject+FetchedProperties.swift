import KeyValueCoding
import Predicates

extension FetchedPropertyAnswer {
  /// The results that still exist, in the context or in a store.
  fileprivate func results(in context: NSManagedObjectContext) throws -> [AnyObject] {
    switch results {
    case .values(let values): return values
    case .objects(let identities):
      let identities = identities.map(\.resolved)
      let known = identities.map { context.registry.object($0.packed) }
      // A temporary ID that a root context does not know is of an object that is gone; a child may
      // read its parent's unsaved objects.
      let unknown = zip(identities, known).compactMap {
        $1 == nil && (!$0.isTemporaryID || context.parent != nil) ? $0 : nil
      }
      let rows = unknown.isEmpty ? [] : try context.source?.rows(of: unknown) ?? []
      let read = context.objects(for: rows)
      return withExtendedLifetime((known, read)) {
        identities.compactMap { context.registry.object($0.packed) }
      }
    }
  }
}

extension NSManagedObject {
  final func fetchedPropertyValue(_ index: Int) -> Any? {
    let property = layout.fetched[index]
    guard let context = registry?.context,
      let template = property.fetchRequest,
      let request = template.copy() as? NSFetchRequest<NSFetchRequestResult>
    else { return nil }
    // The results are kept with the object's values, so the values must be read first.
    if isFault { fireFault() }
    request.predicate = request.predicate?.withSubstitutionVariables([
      "FETCH_SOURCE": self, "FETCHED_PROPERTY": property,
    ])
    return context.trappingReadErrors("the fetched property “\(property.name)”") {
      let variables = try request.predicate.map { try $0.valuesOfConstantPaths() } ?? []
      if let known = relations?.fetched[index], known.belongs(to: variables) {
        return try known.results(in: context)
      }
      let results = try context.results(of: request)
      madeRelations.fetched[index] = FetchedPropertyAnswer(results, for: variables)
      return results
    }
  }
}

extension NSPredicate {
  /// The values of all key paths that start at a constant, such as a substituted variable.
  fileprivate func valuesOfConstantPaths() throws -> [TypedValue] {
    switch self {
    case let comparison as NSComparisonPredicate:
      try comparison.leftExpression.valuesOfConstantPaths()
        + comparison.rightExpression.valuesOfConstantPaths()
    case let compound as Foundation.NSCompoundPredicate:
      try compound.subpredicates.flatMap { try $0.valuesOfConstantPaths() }
    default: []
    }
  }
}

extension NSExpression {
  fileprivate func valuesOfConstantPaths() throws -> [TypedValue] {
    if case .keyPath(_, of: .some) = content, isConstant {
      return [TypedValue(try value(with: nil, variables: nil))]
    }
    return try content.children.flatMap { try $0.valuesOfConstantPaths() }
      + (content.predicate?.valuesOfConstantPaths() ?? [])
  }
}
