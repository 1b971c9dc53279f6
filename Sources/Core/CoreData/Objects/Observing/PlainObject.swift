import Synchronization

/// A weak stand-in for an observed object that is no managed object.
final class PlainObject: WatchedObject {
  private weak var object: (any KeyValueObservable)?
  let observedIdentity: ObjectIdentifier

  init(_ object: any KeyValueObservable) {
    self.object = object
    observedIdentity = ObjectIdentifier(object)
  }

  var observedSubject: AnyObject? { object }
  var observers: ObserverTable? { object.flatMap(PlainObservers.table) }
  var observingConfinement: Confinement? { nil }

  func adopt(_ observer: PropertyObserver) {
    if let object { PlainObservers.edit(object) { $0.own(observer) } }
  }

  func adopt(_ watch: PropertyWatch) {
    if let object { PlainObservers.edit(object) { $0.add(watch) } }
  }

  func forgetObserver(_ observer: PropertyObserver) {
    PlainObservers.forget(observedIdentity) { $0.disown(observer) }
  }

  func forgetWatch(_ watch: PropertyWatch) {
    PlainObservers.forget(observedIdentity) { $0.remove(watch) }
  }

  func checkCanObserve(_ path: String) {
    guard let object else { return }
    let keys = path.split(separator: ".", omittingEmptySubsequences: false)
    if let key = keys.first(where: { $0.isEmpty || $0.hasPrefix("@") }) {
      fatalError(
        "\(type(of: object)) cannot be observed along the path “\(path)”: “\(key)” is no property. Observe the "
          + "collection, and ask for the value when it changes.")
    }
    if object is Progress, !(object is ObservableProgress) {
      fatalError(
        "\(object) cannot be observed: Foundation's Progress tells nobody of its changes here. Make an "
          + "ObservableProgress in its place.")
    }
  }

  func firstStep(of path: String) -> (key: String, rest: String?) {
    guard let dot = path.firstIndex(of: ".") else { return (path, nil) }
    return (String(path[..<dot]), String(path[path.index(after: dot)...]))
  }

  func observedDestination(_ key: String) -> (any WatchedObject)? {
    guard let value = object?.value(forKey: key) else { return nil }
    if value is NSArray || value is NSSet || value is NSOrderedSet || value is [Any] {
      fatalError(
        "\(object.map { "\(type(of: $0))" } ?? "An object") cannot be observed along a path through “\(key)”, which is many "
          + "objects. Observe “\(key)”, and each object by itself.")
    }
    return watchedObject(value)
  }

  func observedValue(along path: String) -> Any { object?.value(forKeyPath: path) ?? NSNull() }

  func pathsAffecting(_ key: String) -> Set<String> {
    object.map { type(of: $0).keyPathsForValuesAffectingValue(forKey: key) } ?? []
  }
}

/// The observers of objects that are no managed objects. Kept in a table, because the classes
/// cannot store them.
package enum PlainObservers {
  private struct Entry {
    weak var object: AnyObject?
    let table: ObserverTable
  }

  private static let lock = NSLock()
  // Guarded by `lock`. An address may meanwhile belong to another object; the weak reference shows
  // that.
  nonisolated(unsafe) private static var entries: [ObjectIdentifier: Entry] = [:]
  private static let hasAny = Atomic(false)

  /// Whether any such object is observed. A setter tests only this if none is.
  package static var areThere: Bool { hasAny.load(ordering: .relaxed) }

  static func table(of object: AnyObject) -> ObserverTable? {
    guard areThere else { return nil }
    return lock.withLock {
      let entry = entries[ObjectIdentifier(object)]
      return entry?.object === object ? entry?.table : nil
    }
  }

  /// Changes the table of an object, made if there is none. `change` runs under the lock and must
  /// not call clients.
  static func edit(_ object: AnyObject, change: (ObserverTable) -> Void) {
    lock.withLock {
      let identity = ObjectIdentifier(object)
      if let entry = entries[identity], entry.object === object { return change(entry.table) }
      // Cleaned up at each power of two, so that the cost per addition is constant.
      if entries.count >= 64, entries.count & (entries.count - 1) == 0 {
        entries = entries.filter { $0.value.object != nil }
      }
      let table = ObserverTable()
      entries[identity] = Entry(object: object, table: table)
      hasAny.store(true, ordering: .relaxed)
      change(table)
    }
  }

  /// Changes the table of an object, which may be freed already. An empty table is removed.
  static func forget(_ identity: ObjectIdentifier, change: (ObserverTable) -> Void) {
    // Freed after the lock is released: its deinitialization may free other objects.
    let gone = lock.withLock { () -> ObserverTable? in
      guard let table = entries[identity]?.table else { return nil }
      change(table)
      guard table.isEmpty else { return nil }
      entries[identity] = nil
      hasAny.store(!entries.isEmpty, ordering: .relaxed)
      return table
    }
    _ = gone
  }

  // MARK: - Changes

  static func announce(
    _ object: any KeyValueObservable, key: String, change: @autoclosure () -> PropertyChange
  ) {
    guard let table = table(of: object), table.isWatched([key]) else { return }
    table.announce([key], change: change())
  }

  static func report(_ object: any KeyValueObservable, key: String) {
    table(of: object)?.report(key)
  }

  /// Announces a change by a setter. A setter that calls another setter of the property counts as
  /// one change.
  package static func willSet(_ object: any KeyValueObservable, key: String) {
    guard let table = table(of: object), table.isWatched([key]),
      type(of: object).automaticallyNotifiesObservers(forKey: key), table.beginSetting(key)
    else { return }
    table.announce([key], change: .setting)
  }

  package static func didSet(_ object: any KeyValueObservable, key: String) {
    guard let table = table(of: object), table.endSetting(key) else { return }
    table.report(key)
  }
}
