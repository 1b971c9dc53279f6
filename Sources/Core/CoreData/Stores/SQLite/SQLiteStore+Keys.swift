import KeyValueCoding

// Fetches with the predicate `SELF IN ids`, which need no generated SQL. Lists so fetch the rows
// that come into view, and programs the objects whose IDs they have kept.
extension SQLiteStore {
  /// The keys of the rows that a plan describes, if its predicate is `SELF IN` a constant and it
  /// has neither order nor limits; else nil.
  func keys(_ plan: FetchPlan) -> [Int64]? {
    guard plan.limit == 0, plan.offset == 0, plan.sortDescriptors.isEmpty,
      let comparison = plan.predicate as? NSComparisonPredicate,
      comparison.predicateOperatorType == .in, comparison.comparisonPredicateModifier == .direct,
      case .evaluatedObject = comparison.leftExpression.content,
      case .constant(let constant) = comparison.rightExpression.content, let constant
    else { return nil }
    return keys(constant, rootNumber: plan.layout.rootNumber)
  }

  private func keys(_ constant: Any, rootNumber: Int) -> [Int64]? {
    let space = identities
    var keys: [Int64] = []
    if let identities = constant as? [NSManagedObjectID] {
      keys.reserveCapacity(identities.count)
      identities.forEachUncounted { identity in
        if let key = space.key(of: identity.resolved, rootNumber: rootNumber) { keys.append(key) }
      }
    } else {
      guard let collection = ElementCollection(constant) else { return nil }
      for element in collection.elements {
        guard case .object(let object) = TypedValue(element) else { continue }
        let compared = (object as? any ComparedByIdentity)?.comparedIdentity ?? object
        guard let identity = compared as? NSManagedObjectID,
          let key = space.key(of: identity.resolved, rootNumber: rootNumber)
        else { continue }
        keys.append(key)
      }
    }
    return keys
  }
}

extension IdentitySpace {
  /// The key of an object of this store, by its ID from any coordinator; nil for an object of
  /// another store or another entity tree, and for an unsaved one.
  func key(of identity: NSManagedObjectID, rootNumber: Int) -> Int64? {
    guard identity.rootNumber == rootNumber,
      identity.belongs(to: self) || identity.space?.storeUUID == storeUUID
    else { return nil }
    return identity.packed.key
  }
}
