import Foundation

extension NSPredicate {
  /// The predicate as text, for comparing descriptions.
  package final var modelText: String { printedFormat }
}

extension NSFetchRequest where ResultType == NSFetchRequestResult {
  /// The request as text, for comparing descriptions.
  package final var modelText: String {
    let order = (sortDescriptors ?? []).map {
      "\($0.key ?? "?") \($0.ascending) \($0.selectorName ?? "?")"
    }
    return [
      entityName ?? "", predicate?.modelText ?? "", order.joined(separator: ","),
      "\(fetchLimit) \(fetchOffset) \(fetchBatchSize) \(resultType.rawValue)",
      "\(includesSubentities) \(includesPropertyValues) \(returnsObjectsAsFaults)",
      "\(returnsDistinctResults) \(includesPendingChanges)",
    ].joined(separator: "|")
  }

  /// A copy of the same type.
  package final var copiedRequest: NSFetchRequest<NSFetchRequestResult> {
    guard let copy = copy() as? NSFetchRequest<NSFetchRequestResult> else {
      fatalError("A fetch request's copy must be a fetch request.")
    }
    return copy
  }
}
