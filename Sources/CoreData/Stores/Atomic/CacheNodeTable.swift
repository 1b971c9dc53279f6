import Synchronization

/// The nodes of an atomic store of one's own, and which of them have yet to be read.
///
/// Sendable: guarded by its lock; the nodes belong to the store's class, which hands them over.
final class CacheNodeTable: Sendable {
  private struct State: @unchecked Sendable {
    var nodes: [NSManagedObjectID: NSAtomicStoreCacheNode] = [:]
    var unread: [NSAtomicStoreCacheNode] = []
    var savedMetadata: NSDictionary = [:]
  }

  private let state = Mutex(State())

  /// The metadata at the end of the last save, or as they were loaded.
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

  /// The nodes that were added since the last call, in the order of their objects.
  func takeUnread() -> [NSAtomicStoreCacheNode] {
    let taken = state.withLock { state in
      let taken = State(nodes: [:], unread: state.unread)
      state.unread = []
      return taken
    }
    return taken.unread.sorted { $0.objectID.packed.bits < $1.objectID.packed.bits }
  }

  /// What a save changes, whose rows are known.
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
