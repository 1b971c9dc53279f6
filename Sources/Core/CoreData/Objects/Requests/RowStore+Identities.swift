/// A store that makes the identities of new objects by itself: a client's.
protocol IdentifyingStore: RowStore {
  /// The permanent identities of new objects, in their order. Called on the queue of their context.
  func ownIdentities(for objects: [NSManagedObject]) throws -> [PackedIdentity]
}

extension RowStore {
  /// The permanent identities of new objects, in their order: consecutive keys for each run of
  /// objects of one entity. Called on the queue of their context.
  package func permanentIdentities(
    for objects: [NSManagedObject]
  ) throws -> [PackedIdentity] {
    if let store = self as? any IdentifyingStore { return try store.ownIdentities(for: objects) }
    var result: [PackedIdentity] = []
    result.reserveCapacity(objects.count)
    var rest = objects[...]
    let space = identities
    while let layout = rest.first?.layout {
      let run = rest.prefix { $0.layout === layout }
      let first = try reserveKeys(run.count, for: layout)
      for offset in 0..<Int64(run.count) {
        result.append(space.packed(layout, key: first + offset))
      }
      rest = rest[run.endIndex...]
    }
    return result
  }
}
