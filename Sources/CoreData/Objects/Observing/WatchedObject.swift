/// An object whose properties can be watched: a managed object, or what stands for an object of another class.
protocol WatchedObject: AnyObject {
  /// What observers are told of; nil when it is gone.
  var observedSubject: AnyObject? { get }
  var observedIdentity: ObjectIdentifier { get }
  /// nil where nobody observes the object.
  var observers: ObserverTable? { get }
  /// The queue that observations end on; nil where every thread will do.
  var observingConfinement: Confinement? { get }

  func adopt(_ observer: PropertyObserver)
  func adopt(_ watch: PropertyWatch)
  func forgetObserver(_ observer: PropertyObserver)
  func forgetWatch(_ watch: PropertyWatch)

  /// Stops the program for a path that nobody could be told of.
  func checkCanObserve(_ path: String)
  /// The property that a path begins with, and what follows it.
  func firstStep(of path: String) -> (key: String, rest: String?)
  /// The object that a property leads to; nil where it leads to none that can be watched.
  func observedDestination(_ key: String) -> (any WatchedObject)?
  /// What observers are given as the value, `NSNull` for nil.
  func observedValue(along path: String) -> Any
  /// What the value of a property depends on.
  func pathsAffecting(_ key: String) -> Set<String>
}

extension NSManagedObject: WatchedObject {
  final var observedSubject: AnyObject? { self }
  final var observedIdentity: ObjectIdentifier { ObjectIdentifier(self) }
  final var observingConfinement: Confinement? { registry?.context?.confinement }

  final func adopt(_ observer: PropertyObserver) { madeObservers.own(observer) }
  final func adopt(_ watch: PropertyWatch) { madeObservers.add(watch) }

  final func firstStep(of path: String) -> (key: String, rest: String?) {
    ComputedProperty.named(path) == nil ? layout.firstStep(of: path) : (path, nil)
  }

  final func observedValue(along path: String) -> Any {
    if let computed = ComputedProperty.named(path) {
      return (self as Any)[keyPath: computed.keyPath].flatMap(Value.unwrapped) ?? NSNull()
    }
    return layout.place(of: path) == nil
      ? value(forKeyPath: path) ?? NSNull() : observedValue(path) ?? NSNull()
  }

  final func pathsAffecting(_ key: String) -> Set<String> {
    ComputedProperty.named(key)?.dependencies
      ?? type(of: self).keyPathsForValuesAffectingValue(forKey: key)
  }
}

/// What can be watched of a property's value.
func watchedObject(_ value: Any?) -> (any WatchedObject)? {
  if let managed = value as? NSManagedObject { return managed }
  return (value as? any KeyValueObservable).map { PlainObject($0) }
}
