import CoreData
import Foundation

/// An atomic store as a client would write one that lives in memory: it notes its calls, and otherwise
/// leaves as much as possible to its superclass.
final class ClientAtomicStore: NSAtomicStore {
  // Calls come on several threads.
  private let lock = NSLock()
  private var noted: [String] = []
  private var lastReference = 0
  /// What the next `save()` throws.
  var failure: (any Error)?

  var calls: [String] { lock.withLock { noted } }

  func forgetCalls() { lock.withLock { noted = [] } }

  private func note(_ call: String) { lock.withLock { noted.append(call) } }

  override var type: String { StoreKind.clientAtomic.rawValue }

  override func loadMetadata() throws {
    note("loadMetadata")
    metadata = [NSStoreTypeKey: type, NSStoreUUIDKey: UUID().uuidString]
  }

  override func load() throws { note("load") }

  override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
    note("newReferenceObject \(managedObject.objectID.isTemporaryID ? "temporary" : "permanent")")
    return lock.withLock {
      lastReference += 1
      return "r\(lastReference)"
    }
  }

  override func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
    note("newCacheNode \(referenceObject(for: managedObject.objectID))")
    return super.newCacheNode(for: managedObject)
  }

  override func updateCacheNode(
    _ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject
  ) {
    note("updateCacheNode \(referenceObject(for: node.objectID))")
    super.updateCacheNode(node, from: managedObject)
  }

  override func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
    note("willRemoveCacheNodes \(cacheNodes.count)")
  }

  override func save() throws {
    note("save")
    if let failure { throw failure }
  }

  override func didAdd(to coordinator: NSPersistentStoreCoordinator) { note("didAdd") }

  override func willRemove(from coordinator: NSPersistentStoreCoordinator?) { note("willRemove") }
}
