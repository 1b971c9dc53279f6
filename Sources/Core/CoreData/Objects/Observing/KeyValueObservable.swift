import KeyValueCoding

/// An object whose properties can be observed by Swift key path: a managed object or a
/// ``KeyValueObservable``.
public protocol KeyPathObservable: AnyObject {}

extension KeyPathObservable {
  /// Calls a handler after each change of a property, or of a property of a related object.
  ///
  ///     observation = item.observe(\.title, options: [.old, .new]) { item, change in … }
  ///
  /// For a managed object, call this on the context's queue. The handler is called there, after the
  /// change and its effects on the other ends of relationships. For another object, the handler is
  /// called on the thread that changes the property. The observation ends when the returned object
  /// is freed, and does not keep the observed object alive. See <doc:Observing> for the reported
  /// changes.
  ///
  /// Source: developer.apple.com/documentation/swift/using-key-value-observing-in-swift
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let handler = PropertyObserver.Recipient.handler { object, change in
      // The root has the class that the key path was written for.
      if let object = object as? Self { changeHandler(object, NSKeyValueObservedChange(change)) }
    }
    guard let watched = watchedObject(self) else {
      fatalError("\(Self.self) has no key-value observing: it is no KeyValueObservable")
    }
    (self as? NSManagedObject)?.assertConfined()
    let observer = PropertyObserver(
      watched, path: observedKey(keyPath), options: options, recipient: handler)
    observer.begin()
    return NSKeyValueObservation(observer)
  }
}

/// The path of keys that a Swift key path stands for. Stops the program if the key path names no
/// observable property.
func observedKey<Root, Value>(_ keyPath: KeyPath<Root, Value>) -> String {
  _ = FrameworkKeyPaths.areNamed
  if let key = KeyPathName.name(of: keyPath) ?? ComputedProperty.key(of: keyPath) { return key }
  fatalError(
    "A key path from \(Root.self) to \(Value.self) names no property that can be observed: write the keys, "
      + "with addObserver(_:forKeyPath:options:context:)")
}

/// A class, other than those of managed objects, whose properties can be observed by key.
///
/// Its setters call ``willChangeValue(forKey:)`` before and ``didChangeValue(forKey:)`` after a
/// change; in ported sources the setters of `@objc dynamic` properties do so already. An object may
/// be observed and changed on any thread; observers are notified on the thread that changes it.
public protocol KeyValueObservable: KeyValueCodable, KeyPathObservable {
  /// The key paths that the value of a property depends on: a change of one notifies the property's
  /// observers.
  static func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String>
  /// Whether the property's setter notifies observers of changes.
  static func automaticallyNotifiesObservers(forKey key: String) -> Bool
}

extension KeyValueObservable {
  /// Default: the result of the class's method `keyPathsForValuesAffecting<Key>`, if it has one.
  public static func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    NamedMembers.keyPathsAffecting(key, of: self)
  }

  /// Default: the result of the class's method `automaticallyNotifiesObserversOf<Key>`, if it has
  /// one; otherwise true.
  public static func automaticallyNotifiesObservers(forKey key: String) -> Bool {
    NamedMembers.notifiesByItself(of: key, self)
  }

  // MARK: - Observers that are objects

  /// Adds an observer of a property, or of a property at the end of a key path.
  ///
  /// Neither the observer nor the object is kept alive. The observation ends with
  /// ``removeObserver(_:forKeyPath:)``, or when the observer or the object is freed.
  public func addObserver(
    _ observer: any KeyValueObserver, forKeyPath keyPath: String,
    options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer? = nil
  ) {
    for lost in PlainObservers.table(of: self)?.lost ?? [] { lost.end() }
    PropertyObserver(
      PlainObject(self), path: keyPath, options: options,
      recipient: .observer(.init(observer: observer), context: context)
    ).begin()
  }

  /// Ends the last observation of a key path by an observer. Stops the program if there is none.
  public func removeObserver(_ observer: any KeyValueObserver, forKeyPath keyPath: String) {
    endObservation(observer, path: keyPath, in: nil)
  }

  /// Ends the last observation of a key path by an observer that was added with this context. Stops
  /// the program if there is none.
  public func removeObserver(
    _ observer: any KeyValueObserver, forKeyPath keyPath: String,
    context: UnsafeMutableRawPointer?
  ) {
    endObservation(observer, path: keyPath, in: .some(context))
  }

  private func endObservation(
    _ observer: any KeyValueObserver, path: String, in context: UnsafeMutableRawPointer??
  ) {
    guard let found = PlainObservers.table(of: self)?.last(observer, path: path, in: context) else {
      fatalError(
        "Cannot remove an observer <\(type(of: observer))> for the key path \"\(path)\" from \(self), because it "
          + "is not registered as an observer.")
    }
    found.end()
  }

  // MARK: - Changes

  /// Notifies observers that a property is about to change.
  public func willChangeValue(forKey key: String) {
    PlainObservers.announce(self, key: key, change: .setting)
  }

  /// Notifies observers that a property has changed. Does nothing without a preceding
  /// ``willChangeValue(forKey:)``.
  public func didChangeValue(forKey key: String) { PlainObservers.report(self, key: key) }

  /// Notifies observers that the property of a Swift key path is about to change.
  public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    if PlainObservers.areThere { willChangeValue(forKey: observedKey(keyPath)) }
  }

  /// Notifies observers that the property of a Swift key path has changed.
  public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    if PlainObservers.areThere { didChangeValue(forKey: observedKey(keyPath)) }
  }

  /// Notifies observers that an array property is about to change at `indexes`: those of the old
  /// elements, or of new ones after the change.
  public func willChange(
    _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String
  ) {
    PlainObservers.announce(
      self, key: key, change: .ofList(self, key: key, kind: changeKind, indexes: indexes))
  }

  /// Notifies observers that an array property has changed at `indexes`.
  public func didChange(
    _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String
  ) { PlainObservers.report(self, key: key) }

  /// Notifies observers that a set property is about to change by `objects`.
  public func willChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind,
    using objects: Set<AnyHashable>
  ) {
    PlainObservers.announce(
      self, key: key, change: .ofSet(self, key: key, kind: mutationKind, objects: objects))
  }

  /// Notifies observers that a set property has changed by `objects`.
  public func didChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind,
    using objects: Set<AnyHashable>
  ) { PlainObservers.report(self, key: key) }
}

extension ObservableManagedObject {
  /// Calls ``NSManagedObject/willChangeValue(forKey:)`` with the property of a Swift key path.
  public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    willChangeValue(forKey: observedKey(keyPath))
  }

  /// Calls ``NSManagedObject/didChangeValue(forKey:)`` with the property of a Swift key path.
  public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    didChangeValue(forKey: observedKey(keyPath))
  }
}

extension PropertyChange {
  fileprivate static func ofList(
    _ object: any KeyValueObservable, key: String, kind: NSKeyValueChange, indexes: IndexSet
  ) -> PropertyChange {
    let members = { [unowned object] () -> NSArray in
      let all =
        (object.value(forKey: key) as? NSArray) ?? object.value(forKey: key).map {
          ($0 as? [Any] ?? []) as NSArray
        } ?? []
      return NSArray(array: indexes.filter { $0 < all.count }.map { all[$0] })
    }
    let goes = kind == .removal || kind == .replacement
    let comes = kind == .insertion || kind == .replacement
    return PropertyChange(
      kind: kind, indexes: indexes, old: goes ? members() : nil, new: comes ? members : nil)
  }

  fileprivate static func ofSet(
    _ object: any KeyValueObservable, key: String, kind: NSKeyValueSetMutationKind,
    objects: Set<AnyHashable>
  ) -> PropertyChange {
    let value = object.value(forKey: key)
    let members =
      (value as? Set<AnyHashable>) ?? (value as? NSSet).map { set in
        Set(set.compactMap { $0 as? AnyHashable })
      } ?? []
    let joining = NSSet(array: objects.subtracting(members).map(\.base))
    let set = { (members: Set<AnyHashable>) in NSSet(array: members.map(\.base)) }
    switch kind {
    case .union: return PropertyChange(kind: .insertion, new: { joining })
    case .minus: return PropertyChange(kind: .removal, old: set(members.intersection(objects)))
    case .intersect: return PropertyChange(kind: .removal, old: set(members.subtracting(objects)))
    case .set:
      return PropertyChange(
        kind: .replacement, old: set(members.subtracting(objects)), new: { joining })
    }
  }
}
