import KeyValueCoding

// `SELF IN ids`: what a list asks for the rows that come into view, or a program for the objects of IDs that it
// has kept. No SQL has to be made for it.
extension SQLiteStore {
  /// The keys of the rows that a plan wants and no others; nil for a plan that wants anything else.
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
  /// The key of an object that this store may have, by an ID of any coordinator; nil for one of another store or
  /// of another tree of entities, and for one that was never saved.
  func key(of identity: NSManagedObjectID, rootNumber: Int) -> Int64? {
    guard identity.rootNumber == rootNumber,
      identity.belongs(to: self) || identity.space?.storeUUID == storeUUID
    else { return nil }
    return identity.packed.key
  }
}
