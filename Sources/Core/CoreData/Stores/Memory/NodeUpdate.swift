/// The changes of one save to the nodes of a client's atomic store, with what is needed to undo
/// them. Used on the queue of the saving context.
final class NodeUpdate {
  private let inserted: [NSManagedObject]
  private let updated: [(node: NSAtomicStoreCacheNode, object: NSManagedObject)]
  private let removed: [NSAtomicStoreCacheNode]
  private let caches: [NSMutableDictionary?]
  private var new: [NSAtomicStoreCacheNode] = []

  /// The nodes of new and changed objects.
  var changed: [NSAtomicStoreCacheNode] { new + updated.map(\.node) }

  /// Throws if the changes come from no context.
  init(_ changes: StoreChanges, of store: NSAtomicStore) throws {
    inserted = try changes.inserted.map { try changes.object($0.identity) }
    let touched = changes.updated.map(\.row.identity) + changes.members.map(\.owner)
    let known = Set(inserted.map(\.objectID))
    updated = try touched.uniqued.filter { !known.contains($0) }.compactMap { identity in
      guard let node = store.nodes.node(of: identity) else { return nil }
      return (node, try changes.object(identity))
    }
    removed = changes.deleted.compactMap { store.nodes.node(of: $0.identity) }
    caches = updated.map { $0.node.propertyCache?.mutableCopy() as? NSMutableDictionary }
  }

  func apply(to store: NSAtomicStore) throws {
    for object in inserted {
      let node = store.newCacheNode(for: object)
      guard node.objectID === object.objectID else {
        throw CoreDataError.make(
          .persistentStoreOperation,
          reason: "newCacheNode(for:) of \(type(of: store)) returned the node of \(node.objectID) "
            + "for \(object.objectID).",
          userInfo: [NSAffectedStoresErrorKey: [store]])
      }
      new.append(node)
      store.nodes.replace([node], removing: [])
    }
    for (node, object) in updated where !object.isDeleted {
      store.updateCacheNode(node, from: object)
    }
    if !removed.isEmpty { store.willRemoveCacheNodes(Set(removed)) }
    store.nodes.replace([], removing: removed.map(\.objectID))
  }

  func undo(in store: NSAtomicStore) {
    store.nodes.replace(removed, removing: new.map(\.objectID))
    for ((node, _), cache) in zip(updated, caches) { node.propertyCache = cache }
  }
}

extension StoreChanges {
  /// The saving context's object. Throws if there is no context.
  func object(_ identity: NSManagedObjectID) throws -> NSManagedObject {
    guard let saver = saver as? any ObjectSource else {
      throw CoreDataError.make(
        .persistentStoreOperation,
        reason: "A store of a client's class is saved by a context alone.")
    }
    return saver.object(with: identity)
  }
}
