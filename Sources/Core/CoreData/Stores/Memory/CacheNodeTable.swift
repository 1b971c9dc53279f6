import Synchronization

/// The nodes of a custom atomic store, and those of them that are not in the store's contents yet.
///
/// Sendable: guarded by its lock; the nodes themselves belong to the store's class.
final class CacheNodeTable: Sendable {
  // Sendable: used under the lock of `state` alone, or on its way through it.
  private struct State: @unchecked Sendable {
    var nodes: [NSManagedObjectID: NSAtomicStoreCacheNode] = [:]
    var unread: [NSAtomicStoreCacheNode] = []
    var savedMetadata: NSDictionary = [:]
  }

  private let state = Mutex(State())

  /// The metadata as they were last saved or loaded.
  var savedMetadata: NSDictionary {
    get { state.withLock { $0 }.savedMetadata }
    set {
      let new = State(savedMetadata: newValue)
      state.withLock { $0.savedMetadata = new.savedMetadata }
    }
  }

  var all: Set<NSAtomicStoreCacheNode> { Set(state.withLock { $0 }.nodes.values) }

  func node(of identity: NSManagedObjectID) -> NSAtomicStoreCacheNode? {
    state.withLock { $0 }.nodes[identity]
  }

  func add(_ nodes: Set<NSAtomicStoreCacheNode>) {
    let new = State(nodes: [:], unread: Array(nodes))
    state.withLock { state in
      for node in new.unread { state.nodes[node.objectID] = node }
      state.unread += new.unread
    }
  }

  /// Removes and returns the unread nodes, in the order of their objects.
  func takeUnread() -> [NSAtomicStoreCacheNode] {
    let taken = state.withLock { state in
      let taken = State(nodes: [:], unread: state.unread)
      state.unread = []
      return taken
    }
    return taken.unread.sorted { $0.objectID.packed.bits < $1.objectID.packed.bits }
  }

  /// Adds and removes the nodes of a save, whose rows are in the contents already.
  func replace(
    _ added: [NSAtomicStoreCacheNode], removing removed: [NSManagedObjectID]
  ) {
    let new = State(nodes: [:], unread: added)
    state.withLock { state in
      for node in new.unread { state.nodes[node.objectID] = node }
      for identity in removed { state.nodes[identity] = nil }
    }
  }
}
