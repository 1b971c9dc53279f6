import KeyValueCoding

/// The order of object IDs when sorting by `objectID`: unsaved objects first, then by store, entity
/// name and key.
package struct IdentityOrder: Comparable {
  private let store: String
  private let entity: String
  private let number: Int64
  private let reference: String

  /// - Parameter reference: the last part of the ID's URI, such as `p12`.
  package init(store: String?, entity: String, reference: String) {
    self.store = store ?? ""
    self.entity = entity
    number = Int64(reference) ?? Int64(reference.dropFirst()) ?? 0
    self.reference = reference
  }

  package static func < (left: IdentityOrder, right: IdentityOrder) -> Bool {
    if left.store != right.store { return left.store < right.store }
    if left.entity != right.entity { return left.entity < right.entity }
    if left.number != right.number { return left.number < right.number }
    // References that end in a number sort by that number.
    let (one, other) = (left.reference.utf8.count, right.reference.utf8.count)
    return one == other ? left.reference < right.reference : one < other
  }
}

extension NSManagedObjectID: OrderedObject {
  package final func order(to other: AnyObject) -> ComparisonResult? {
    guard let other = other as? NSManagedObjectID else { return nil }
    if isEqual(other) { return .orderedSame }
    return identityOrder < other.identityOrder ? .orderedAscending : .orderedDescending
  }

  private final var identityOrder: IdentityOrder {
    let (store, reference) = addressParts
    return IdentityOrder(store: store, entity: entity.name ?? "", reference: reference)
  }
}

// A predicate made with a temporary ID also finds the object after the save.
extension TemporaryObjectID: ComparedByIdentity {
  package var comparedIdentity: AnyObject { resolved }
  package var isIdentitySettled: Bool { false }
}
