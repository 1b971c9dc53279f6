/// The observers of an object and its changes in progress. It exists from the first observer to the
/// last.
///
/// Confined to the queue of the object's context. Objects without a context use only what `lock`
/// guards.
final class ObserverTable {
  private let lock = NSLock()
  /// The observers whose paths begin at this object.
  private var observers: [PropertyObserver] = []
  /// The steps of paths that lead over this object, by property, in the order of their addition.
  private var watches: [String: [Link]] = [:]
  /// Changes that a client has announced and not yet reported.
  private var announced: [Announced] = []
  /// The number of changes in progress by property. Nested changes of the property are part of
  /// them.
  private var changing: [String: Int] = [:]
  /// The number of running operations, which report all changes at their end.
  private var operations = 0
  /// The properties for Swift's Observation; nil until a read of a property is tracked.
  private(set) var tracked: TrackedProperties?
  /// The publisher of the object's changes; it observes all properties.
  var announcer: AnyObject?

  private struct Announced {
    let keys: [String]
    let scope: ChangeScope
  }

  private struct Link {
    weak var watch: PropertyWatch?
  }

  // MARK: - Members

  func own(_ observer: PropertyObserver) { lock.withLock { observers.append(observer) } }

  func disown(_ observer: PropertyObserver) {
    lock.withLock { observers.removeAll { $0 === observer } }
  }

  func add(_ watch: PropertyWatch) {
    lock.withLock {
      watches[watch.key]?.removeAll { $0.watch == nil }
      watches[watch.key, default: []].append(Link(watch: watch))
    }
  }

  func remove(_ watch: PropertyWatch) {
    lock.withLock {
      watches[watch.key]?.removeAll { $0.watch == nil || $0.watch === watch }
      if watches[watch.key]?.isEmpty == true { watches[watch.key] = nil }
    }
  }

  func track() -> TrackedProperties {
    if let tracked { return tracked }
    let made = TrackedProperties()
    tracked = made
    return made
  }

  var isEmpty: Bool {
    lock.withLock { observers.isEmpty && watches.isEmpty && tracked == nil }
  }

  /// The last observation of a path by an observer.
  func last(
    _ observer: any KeyValueObserver, path: String, in context: UnsafeMutableRawPointer??
  ) -> PropertyObserver? {
    let all = lock.withLock { observers }
    return all.last { !$0.isOver && $0.isOf(observer, path: path, in: context) }
  }

  /// Observations that have ended, or whose observer was freed without being removed.
  var lost: [PropertyObserver] { lock.withLock { observers }.filter(\.isOver) }

  var watchedKeys: [String] { Array(watches.keys) }

  func watches(of key: String) -> [PropertyWatch] {
    lock.withLock { watches[key] }?.compactMap(\.watch) ?? []
  }

  /// Whether any of these properties is observed or tracked.
  func isWatched(_ keys: [String]) -> Bool {
    tracked != nil || lock.withLock { keys.contains { watches[$0] != nil } }
  }

  // MARK: - Changes

  /// Whether changes of these properties are part of a change or operation that is reported as a
  /// whole.
  func isSilent(_ keys: [String]) -> Bool {
    operations > 0 || (!changing.isEmpty && keys.contains { changing[$0] != nil })
  }

  func silence(_ keys: [String]) {
    for key in keys { changing[key, default: 0] += 1 }
  }

  func endSilence(_ keys: [String]) {
    for key in keys {
      guard let count = changing[key] else { continue }
      changing[key] = count > 1 ? count - 1 : nil
    }
  }

  /// Begins a setter. Returns false if a setter of this property is already running.
  func beginSetting(_ key: String) -> Bool {
    lock.withLock {
      changing[key, default: 0] += 1
      return changing[key] == 1
    }
  }

  /// Ends a setter. Returns true if it is the outermost one of this property.
  func endSetting(_ key: String) -> Bool {
    lock.withLock {
      guard let count = changing[key] else { return false }
      changing[key] = count > 1 ? count - 1 : nil
      return count == 1
    }
  }

  func beginOperation() { operations += 1 }

  func endOperation() { operations -= 1 }

  var isInOperation: Bool { operations > 0 }

  /// Announces a change on behalf of a client.
  func announce(_ keys: [String], change: PropertyChange) {
    if operations > 0 { return }
    tracked?.willChange(keys)
    let scope = ChangeScope()
    scope.enter()
    scope.begin(keys.flatMap(watches(of:)), change: change)
    lock.withLock { announced.append(Announced(keys: keys, scope: scope)) }
  }

  /// Reports a change that a client has announced; does nothing without an announcement.
  func report(_ key: String) {
    let found = lock.withLock {
      announced.lastIndex { $0.keys.first == key }.map { announced.remove(at: $0) }
    }
    guard let change = found else { return }
    tracked?.didChange(change.keys)
    change.scope.leave()
  }
}
