extension [NSManagedObject] {
  /// True if these are the objects of `identities`, in that order.
  func areObjects(of identities: ArraySlice<PackedIdentity>) -> Bool {
    guard count == identities.count else { return false }
    return indices.allSatisfy { self[$0].packed == identities[identities.startIndex + $0] }
  }
}
