import Observation

/// What Swift's Observation knows of one object: which of its properties were read while somebody tracked what is read.
///
/// Swift names a property by a key path; here a key path of this class stands for it, with the property's name inside.
final class TrackedProperties: Observable {
  private let registrar = ObservationRegistrar()
  // By name: making one costs more than finding it.
  private var keyPaths: [String: KeyPath<TrackedProperties, Void>] = [:]

  // The value is never asked for.
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

/// Finds out whether somebody tracks what this thread reads, so that what is read at all other times leaves nothing
/// behind. Owned by a context's registry, used on its queue.
///
/// Observation does not say. But to remember a property that was read it hashes the key path, and with it what is inside:
/// a key path whose inside notes that it was hashed tells the two cases apart.
final class TrackingProbe: Observable {
  private let witness: Witness
  private let keyPath: KeyPath<TrackingProbe, Void>
  // The last: what follows it has no fixed place, for its size is not known.
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

  /// Whether somebody tracks; then another probe has to ask the next time.
  @inline(__always)
  var isTracked: Bool {
    registrar.access(self, keyPath: keyPath)
    return witness.wasHashed
  }

  /// What asks the next time. A registrar that was remembered would keep who tracks alive, and never changes.
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

  /// All objects of an entity are of one class.
  @inline(never)
  private final func findObservability() {
    layout.objectObservability = self is any Observable ? .observable : .none
    noteObservability()
  }

  /// For an object of a class that is `Observable`: a property is being read.
  @inline(never)
  final func noteRead(_ key: String) {
    if isReadTracked { noteTrackedRead(key) }
  }

  /// Whether somebody tracks what this thread reads.
  @inline(__always)
  final var isReadTracked: Bool {
    registryReference?._withUnsafeGuaranteedRef { $0.isReadTracked } ?? false
  }

  @inline(never)
  final func noteTrackedRead(_ key: String) { madeObservers.track().noteRead(key) }
}
