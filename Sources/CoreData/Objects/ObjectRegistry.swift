/// The objects of one context: its identity map.
///
/// Owned by the context and by every one of its objects, so that an object can take itself out when
/// it dies, on whichever thread. The table locks itself; everything else about an object belongs to
/// the context's queue.
package final class ObjectRegistry: @unchecked Sendable {
  let table = WeakTable<NSManagedObject>()
  // Written by the context alone: when it is made, and nil in its `deinit`. Read on the context's
  // queue, where the context is alive or this is nil. Not weak: every edit of every object reads it,
  // and an object with weak references to it is slower to retain.
  nonisolated(unsafe) unowned(unsafe) var context: NSManagedObjectContext?
  /// The slot whose value `validateValue(_:forKey:)` has been asked about: its name needs no look-up.
  var slotInQuestion: Int?
  /// Set in the registry of a probe only, which has no context.
  var recorder: KeyRecorder?

  // Written on the context's queue.
  private var spaces: [IdentitySpace] = []
  private var lastSpace: UnsafeMutableRawPointer?

  /// Keeps a space alive that an object of the context is in.
  func own(_ space: Unmanaged<IdentitySpace>) {
    if space.toOpaque() == lastSpace { return }
    lastSpace = space.toOpaque()
    let space = space.takeUnretainedValue()
    if !spaces.contains(where: { $0 === space }) { spaces.append(space) }
  }

  func object(_ packed: PackedIdentity) -> NSManagedObject? { table.object(for: packed.bits) }
}
