import Observation

/// The properties of one object that were read while Swift's Observation tracked reads.
///
/// Observation identifies a property by key path: here a key path of this class that contains the
/// property's name.
final class TrackedProperties: Observable {
  private let registrar = ObservationRegistrar()
  // By name: making a key path costs more than finding it.
  private var keyPaths: [String: KeyPath<TrackedProperties, Void>] = [:]

  // The value is never read.
  private subscript(key: String) -> Void { () }

  /// The properties that were read.
  var keys: [String] { Array(keyPaths.keys) }

  func noteRead(_ key: String) {
    let keyPath = keyPaths[key] ?? \TrackedProperties[key]
    keyPaths[key] = keyPath
    registrar.access(self, keyPath: keyPath)
  }

  func willChange(_ keys: [String]) {
    for key in keys { if let keyPath = keyPaths[key] { registrar.willSet(self, keyPath: keyPath) } }
  }

  func didChange(_ keys: [String]) {
    for key in keys { if let keyPath = keyPaths[key] { registrar.didSet(self, keyPath: keyPath) } }
  }
}

/// Detects whether Observation tracks reads on this thread, so that untracked reads leave no
/// traces.
///
/// Observation offers no such query. But to record a read it hashes the key path together with its
/// subscript arguments, so an argument that notes its hashing reveals the tracking. Owned by a
/// context's registry and confined to its queue.
final class TrackingProbe: Observable {
  private let witness: Witness
  private let keyPath: KeyPath<TrackingProbe, Void>
  // Last, because its size is not known here: properties after it would have no fixed offset.
  private let registrar = ObservationRegistrar()

  private final class Witness: Hashable {
    var wasHashed = false

    static func == (left: Witness, right: Witness) -> Bool { left === right }

    func hash(into hasher: inout Hasher) {
      wasHashed = true
      hasher.combine(ObjectIdentifier(self))
    }
  }

  private subscript(witness: Witness) -> Void { () }

  init() {
    let witness = Witness()
    self.witness = witness
    keyPath = \TrackingProbe[witness]
  }

  /// Whether reads are tracked. After true, the next query needs another probe.
  @inline(__always)
  var isTracked: Bool {
    registrar.access(self, keyPath: keyPath)
    return witness.wasHashed
  }

  /// The probe for the next query. The used registrar would keep the tracking observer alive, and
  /// it never changes.
  init(after used: TrackingProbe) {
    witness = used.witness
    keyPath = used.keyPath
    witness.wasHashed = false
  }
}

extension NSManagedObject {
  @inline(__always)
  final func noteObservability() {
    switch layout.objectObservability {
    case .none: break
    case .observable: flags.insert(.observable)
    case .unknown: findObservability()
    }
  }

  /// All objects of an entity have the same class, so the result is kept in the layout.
  @inline(never)
  private final func findObservability() {
    layout.objectObservability = self is any Observable ? .observable : .none
    noteObservability()
  }

  /// Notes the read of a property of an `Observable` object, if reads are tracked.
  @inline(never)
  final func noteRead(_ key: String) {
    if isReadTracked { noteTrackedRead(key) }
  }

  /// Whether reads on this thread are tracked.
  @inline(__always)
  final var isReadTracked: Bool {
    // Sound: a registry lives as long as it has a member, such as this object.
    registryReference?._withUnsafeGuaranteedRef { $0.isReadTracked } ?? false
  }

  @inline(never)
  final func noteTrackedRead(_ key: String) { madeObservers.track().noteRead(key) }
}
