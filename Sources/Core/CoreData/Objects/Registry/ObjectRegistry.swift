/// The objects of one context: its identity map.
///
/// Owned by the context, and by itself while it has a member. An object removes itself in its
/// `deinit`, on any thread. Objects refer to the registry unretained: otherwise all of them would
/// write one reference count.
///
/// Sendable: the table has a lock; everything else is confined to the context's queue.
package final class ObjectRegistry: @unchecked Sendable {
  private let table = WeakTable<NSManagedObject>()
  /// The context, unretained; for callers that cannot cause its release meanwhile.
  // Sound: written only by the context, at its creation and (nil) in its `deinit`. Read on the
  // context's queue, where the context is alive or this is nil. Not weak: every edit of every
  // object reads it, and retaining an object with weak references is slower.
  nonisolated(unsafe) private(set) var uncountedContext: Unmanaged<NSManagedObjectContext>?
  /// The context, retained; for callers that may cause its release.
  var context: NSManagedObjectContext? {
    get { uncountedContext?.takeUnretainedValue() }
    set { uncountedContext = newValue.map(Unmanaged.passUnretained) }
  }
  /// The slot whose value `validateValue(_:forKey:)` is validating: its name needs no look-up.
  var slotInQuestion: Int?
  /// Set only in the registry of a probe, which has no context.
  var recorder: KeyRecorder?
  /// Whether an object of the context has ever been observed.
  var hasObservedObjects = false
  lazy var changeScope = ChangeScope()
  // Owned: retained when set, released by `deinit` or `succeed(_:)`. Unmanaged, so that reads of
  // observable objects do not retain it.
  private var trackingProbe: Unmanaged<TrackingProbe>?

  // The spaces of the context's objects, kept alive here. Confined to the context's queue.
  private var spaces: [IdentitySpace] = []
  private var lastSpace: UnsafeMutableRawPointer?

  /// Keeps alive a space that an object of the context belongs to.
  @inline(__always)
  func own(_ space: Unmanaged<IdentitySpace>) {
    if space.toOpaque() != lastSpace { ownAnother(space) }
  }

  @inline(never)
  // Sound: the caller keeps the space alive; from here on `spaces` does.
  private func ownAnother(_ space: Unmanaged<IdentitySpace>) {
    lastSpace = space.toOpaque()
    let space = space.takeUnretainedValue()
    if !spaces.contains(where: { $0 === space }) { spaces.append(space) }
  }

  deinit { trackingProbe?.release() }

  /// Whether reads of the context's objects on this thread are tracked.
  // Called by each read of an observable object: the rare cases are not inlined.
  @inline(__always)
  var isReadTracked: Bool {
    let probe = trackingProbe ?? makeTrackingProbe()
    return probe._withUnsafeGuaranteedRef { $0.isTracked } && succeed(probe)
  }

  @inline(never)
  // Replaces a used probe; `takeRetainedValue` balances the `passRetained` that made it.
  private func succeed(_ probe: Unmanaged<TrackingProbe>) -> Bool {
    guard context != nil else { return false }
    trackingProbe = .passRetained(TrackingProbe(after: probe.takeRetainedValue()))
    return true
  }

  @inline(never)
  // Retained for `trackingProbe`.
  private func makeTrackingProbe() -> Unmanaged<TrackingProbe> {
    let probe = Unmanaged.passRetained(TrackingProbe())
    trackingProbe = probe
    return probe
  }

  /// Whether the context has no objects.
  var isEmpty: Bool { table.isEmpty }

  /// Every live object.
  var objects: [NSManagedObject] { table.objects() }

  func object(_ packed: PackedIdentity) -> NSManagedObject? { table.object(for: packed.bits) }

  /// The registered objects of these identities; nil for the others.
  func objects(_ identities: ArraySlice<PackedIdentity>) -> [NSManagedObject?] {
    var objects: [NSManagedObject?] = []
    objects.reserveCapacity(identities.count)
    table.withBatch { table in
      for packed in identities { objects.append(table.object(for: packed.bits)) }
    }
    return objects
  }

  /// Makes room for `count` further objects.
  func expect(_ count: Int) { table.reserve(count) }

  // MARK: - Members

  func enter(_ object: NSManagedObject, packed: PackedIdentity) {
    if table.insert(object, for: packed.bits) { keepItself() }
  }

  /// Removes an object; may free the registry.
  func leave(_ object: NSManagedObject, packed: PackedIdentity) {
    if table.remove(object, for: packed.bits) { Unmanaged.passUnretained(self).release() }
  }

  /// Calls `body` with the locked table. `body` must not release an object, and must not reduce the
  /// number of members.
  @inline(__always)
  func inBatch(_ body: (WeakTable<NSManagedObject>.Batch) -> Void) {
    if table.withBatch(body).isFilled { keepItself() }
  }

  /// Retains the registry while it has a member; balanced by ``leave(_:_:)``.
  private func keepItself() { _ = Unmanaged.passRetained(self) }
}
