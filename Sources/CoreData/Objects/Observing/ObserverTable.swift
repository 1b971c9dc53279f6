/// Who observes an object, and what is going on with it. Made when the first observer comes, and gone with the
/// last one; the queue of the object's context guards it, and a lock for objects that have none: all that those use.
final class ObserverTable {
  private let lock = NSLock()
  /// Whose paths begin here.
  private var observers: [PropertyObserver] = []
  /// Whose paths come by, by property, in the order of their coming.
  private var watches: [String: [Link]] = [:]
  /// Changes that a client has announced and not yet reported.
  private var announced: [Announced] = []
  /// Properties in the midst of a change: what happens to them is part of it.
  private var changing: [String: Int] = [:]
  /// How many operations give the object other values; they tell of all of them at their end.
  private var operations = 0
  /// For Swift's Observation; nil until a property is read while somebody tracks what is read.
  private(set) var tracked: TrackedProperties?
  /// What publishes the object's changes; it observes all properties.
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

  /// The last of an observer's observations of a path.
  func last(
    _ observer: any KeyValueObserver, _ path: String, _ context: UnsafeMutableRawPointer??
  ) -> PropertyObserver? {
    let all = lock.withLock { observers }
    return all.last { !$0.isOver && $0.isOf(observer, path, context) }
  }

  /// Those whose observer is gone without having been removed.
  var lost: [PropertyObserver] { lock.withLock { observers }.filter(\.isOver) }

  var watchedKeys: [String] { Array(watches.keys) }

  func watches(of key: String) -> [PropertyWatch] {
    lock.withLock { watches[key] }?.compactMap(\.watch) ?? []
  }

  /// Whether anybody wants to know of a change of one of these properties.
  func isWatched(_ keys: [String]) -> Bool {
    tracked != nil || lock.withLock { keys.contains { watches[$0] != nil } }
  }

  // MARK: - Changes

  /// Whether what happens to a property now is part of something that is told as a whole.
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

  /// A setter begins; false where one of the same property is at work.
  func beginSetting(_ key: String) -> Bool {
    lock.withLock {
      changing[key, default: 0] += 1
      return changing[key] == 1
    }
  }

  /// A setter ends; true where it is the one that began first.
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

  /// A client has announced a change.
  func announce(_ keys: [String], _ change: PropertyChange) {
    if operations > 0 { return }
    tracked?.willChange(keys)
    let scope = ChangeScope()
    scope.enter()
    scope.begin(keys.flatMap(watches(of:)), change)
    lock.withLock { announced.append(Announced(keys: keys, scope: scope)) }
  }

  /// A client reports the change that it has announced; one that it has not is none.
  func report(_ key: String) {
    let found = lock.withLock {
      announced.lastIndex { $0.keys.first == key }.map { announced.remove(at: $0) }
    }
    guard let change = found else { return }
    tracked?.didChange(change.keys)
    change.scope.leave()
  }
}
