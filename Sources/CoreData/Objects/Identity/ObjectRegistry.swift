/// The objects of one context: its identity map.
///
/// Owned by the context, and by itself as long as it has a member: an object takes itself out when it
/// dies, on whichever thread, and points here without counting, or each object would write a word that all of
/// them share. The table locks itself; everything else about an object belongs to the context's queue.
package final class ObjectRegistry: @unchecked Sendable {
  private let table = WeakTable<NSManagedObject>()
  /// The context, for who does nothing in between that could let go of it.
  // Written by the context alone: when it is made, and nil in its `deinit`. Read on the context's
  // queue, where the context is alive or this is nil. Not weak: every edit of every object reads it,
  // and an object with weak references to it is slower to retain.
  nonisolated(unsafe) private(set) var uncountedContext: Unmanaged<NSManagedObjectContext>?
  /// The same for who could let go of the context in between.
  var context: NSManagedObjectContext? {
    get { uncountedContext?.takeUnretainedValue() }
    set { uncountedContext = newValue.map(Unmanaged.passUnretained) }
  }
  /// The slot whose value `validateValue(_:forKey:)` has been asked about: its name needs no look-up.
  var slotInQuestion: Int?
  /// Set in the registry of a probe only, which has no context.
  var recorder: KeyRecorder?
  /// Whether an object of the context has ever been observed.
  var hasObservedObjects = false
  lazy var changeScope = ChangeScope()
  // Owned here; not counted where it is asked, which each read of an observable object does.
  private var trackingProbe: Unmanaged<TrackingProbe>?

  // Written on the context's queue.
  private var spaces: [IdentitySpace] = []
  private var lastSpace: UnsafeMutableRawPointer?

  /// Keeps a space alive that an object of the context is in.
  @inline(__always)
  func own(_ space: Unmanaged<IdentitySpace>) {
    if space.toOpaque() != lastSpace { ownAnother(space) }
  }

  @inline(never)
  private func ownAnother(_ space: Unmanaged<IdentitySpace>) {
    lastSpace = space.toOpaque()
    let space = space.takeUnretainedValue()
    if !spaces.contains(where: { $0 === space }) { spaces.append(space) }
  }

  deinit { trackingProbe?.release() }

  /// Whether somebody tracks what this thread reads of the context's objects.
  // Asked by each read of an observable object: what is not needed when nobody does is elsewhere.
  @inline(__always)
  var isReadTracked: Bool {
    let probe = trackingProbe ?? makeTrackingProbe()
    return probe._withUnsafeGuaranteedRef { $0.isTracked } && succeed(probe)
  }

  @inline(never)
  private func succeed(_ probe: Unmanaged<TrackingProbe>) -> Bool {
    guard context != nil else { return false }
    trackingProbe = .passRetained(TrackingProbe(after: probe.takeRetainedValue()))
    return true
  }

  @inline(never)
  private func makeTrackingProbe() -> Unmanaged<TrackingProbe> {
    let probe = Unmanaged.passRetained(TrackingProbe())
    trackingProbe = probe
    return probe
  }

  /// Whether the context has no object.
  var isEmpty: Bool { table.isEmpty }

  /// Every object that is alive.
  var objects: [NSManagedObject] { table.objects() }

  func object(_ packed: PackedIdentity) -> NSManagedObject? { table.object(for: packed.bits) }

  /// The objects of these identities, those that are there.
  func objects(_ identities: ArraySlice<PackedIdentity>) -> [NSManagedObject?] {
    var objects: [NSManagedObject?] = []
    objects.reserveCapacity(identities.count)
    table.withBatch { table in
      for packed in identities { objects.append(table.object(for: packed.bits)) }
    }
    return objects
  }

  /// So many objects are about to be entered: makes room for them.
  func expect(_ count: Int) { table.reserve(count) }

  // MARK: - Members

  func enter(_ object: NSManagedObject, _ packed: PackedIdentity) {
    if table.insert(object, for: packed.bits) { keepItself() }
  }

  /// Perhaps the end of the registry.
  func leave(_ object: NSManagedObject, _ packed: PackedIdentity) {
    if table.remove(object, for: packed.bits) { Unmanaged.passUnretained(self).release() }
  }

  /// Gives `body` the table, locked once; it must not release an object, and leaves no fewer members than there
  /// were.
  @inline(__always)
  func inBatch(_ body: (WeakTable<NSManagedObject>.Batch) -> Void) {
    if table.withBatch(body).isFilled { keepItself() }
  }

  private func keepItself() { _ = Unmanaged.passRetained(self) }
}
