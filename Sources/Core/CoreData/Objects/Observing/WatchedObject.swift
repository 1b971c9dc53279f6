/// An object whose properties can be watched: a managed object, or a stand-in for another object.
protocol WatchedObject: AnyObject {
  /// The object that observers get; nil once it is freed.
  var observedSubject: AnyObject? { get }
  var observedIdentity: ObjectIdentifier { get }
  /// nil if the object has no observers.
  var observers: ObserverTable? { get }
  /// The queue on which observations end; nil for any thread.
  var observingConfinement: Confinement? { get }

  func adopt(_ observer: PropertyObserver)
  func adopt(_ watch: PropertyWatch)
  func forgetObserver(_ observer: PropertyObserver)
  func forgetWatch(_ watch: PropertyWatch)

  /// Stops the program if changes at the end of the path cannot be reported.
  func checkCanObserve(_ path: String)
  /// Splits a path after its first property.
  func firstStep(of path: String) -> (key: String, rest: String?)
  /// The object that a property leads to; nil if there is none, or none that can be watched.
  func observedDestination(_ key: String) -> (any WatchedObject)?
  /// The value for observers; `NSNull` for nil.
  func observedValue(along path: String) -> Any
  /// The key paths that the value of a property depends on.
  func pathsAffecting(_ key: String) -> Set<String>
}

extension NSManagedObject: WatchedObject {
  final var observedSubject: AnyObject? { self }
  final var observedIdentity: ObjectIdentifier { ObjectIdentifier(self) }

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

/// The watched object of a property's value; nil if the value cannot be watched.
func watchedObject(_ value: Any?) -> (any WatchedObject)? {
  if let managed = value as? NSManagedObject { return managed }
  return (value as? any KeyValueObservable).map { PlainObject($0) }
}
