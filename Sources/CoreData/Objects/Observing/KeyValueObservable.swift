import KeyValueCoding

/// Whose properties can be observed by key paths of Swift: managed objects, and classes with
/// ``KeyValueObservable``.
public protocol KeyPathObservable: AnyObject {}

extension KeyPathObservable {
  /// Calls a handler at each change of a property, or of a property of a related object.
  ///
  ///     observation = item.observe(\.title, options: [.old, .new]) { item, change in … }
  ///
  /// For a managed object, call it on the context's queue; the handler is called there, after the change and all that it
  /// has led to at the other ends of relationships. For another object, the handler is called by the thread that changes
  /// the property. The observation ends with the returned object, and does not keep the observed one
  /// alive. See <doc:Observing> for what is told.
  ///
  /// Source: developer.apple.com/documentation/swift/using-key-value-observing-in-swift
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let handler = PropertyObserver.Recipient.handler { object, change in
      // The root is of the class that the key path was written for.
      if let object = object as? Self { changeHandler(object, NSKeyValueObservedChange(change)) }
    }
    guard let watched = watchedObject(self) else {
      fatalError("\(Self.self) has no key-value observing: it is no KeyValueObservable")
    }
    (self as? NSManagedObject)?.managedObjectContext?.assertConfined()
    let observer = PropertyObserver(watched, observedKey(keyPath), options, handler)
    observer.begin()
    return NSKeyValueObservation(observer)
  }
}

/// The path of keys behind a key path of Swift.
func observedKey<Root, Value>(_ keyPath: KeyPath<Root, Value>) -> String {
  _ = FrameworkKeyPaths.areNamed
  if let key = KeyPathName.name(of: keyPath) ?? ComputedProperty.key(of: keyPath) { return key }
  fatalError(
    "A key path from \(Root.self) to \(Value.self) names no property that can be observed: write the keys, "
      + "with addObserver(_:forKeyPath:options:context:)")
}

/// A class other than those of managed objects whose properties can be observed by key.
///
/// Its setters call ``willChangeValue(forKey:)`` before and ``didChangeValue(forKey:)`` after a change; in ported sources
/// setters of `@objc dynamic` properties do so by themselves. An object may be observed and changed by every thread;
/// observers are told by the one that changes it.
public protocol KeyValueObservable: KeyValueCodable, KeyPathObservable {
  /// The key paths that the value of a property depends on: who observes the property is told when one of them changes.
  static func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String>
  /// Whether the property's setter tells observers of changes by itself.
  static func automaticallyNotifiesObservers(forKey key: String) -> Bool
}

extension KeyValueObservable {
  /// What the class's method `keyPathsForValuesAffecting<Key>` answers, if there is one.
  public static func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    NamedMembers.keyPathsAffecting(key, of: self)
  }

  /// What the class's method `automaticallyNotifiesObserversOf<Key>` answers; else true.
  public static func automaticallyNotifiesObservers(forKey key: String) -> Bool {
    NamedMembers.notifiesByItself(of: key, self)
  }

  // MARK: - Observers that are objects

  /// Has an observer told of each change of a property, or of a property at the end of a path.
  ///
  /// The observer is kept alive as little as the object. Each observation is ended by
  /// ``removeObserver(_:forKeyPath:)``, with the observer or with the object.
  public func addObserver(
    _ observer: any KeyValueObserver, forKeyPath keyPath: String,
    options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer? = nil
  ) {
    for lost in PlainObservers.table(of: self)?.lost ?? [] { lost.end() }
    PropertyObserver(
      PlainObject(self), keyPath, options, .observer(.init(observer: observer), context: context)
    ).begin()
  }

  /// Ends the last of an observer's observations of a path; stops the program when there is none.
  public func removeObserver(_ observer: any KeyValueObserver, forKeyPath keyPath: String) {
    endObservation(observer, keyPath, nil)
  }

  /// Ends the last of an observer's observations of a path that were begun with this context.
  public func removeObserver(
    _ observer: any KeyValueObserver, forKeyPath keyPath: String,
    context: UnsafeMutableRawPointer?
  ) {
    endObservation(observer, keyPath, .some(context))
  }

  private func endObservation(
    _ observer: any KeyValueObserver, _ path: String, _ context: UnsafeMutableRawPointer??
  ) {
    guard let found = PlainObservers.table(of: self)?.last(observer, path, context) else {
      fatalError(
        "Cannot remove an observer <\(type(of: observer))> for the key path \"\(path)\" from \(self), because it "
          + "is not registered as an observer.")
    }
    found.end()
  }

  // MARK: - Changes

  /// Tells observers that a property is about to change.
  public func willChangeValue(forKey key: String) { PlainObservers.announce(self, key, .setting) }

  /// Tells observers that the property has changed of which that has been told.
  public func didChangeValue(forKey key: String) { PlainObservers.report(self, key) }

  /// The same, with a key path of Swift.
  public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    if PlainObservers.areThere { willChangeValue(forKey: observedKey(keyPath)) }
  }

  /// The same, with a key path of Swift.
  public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    if PlainObservers.areThere { didChangeValue(forKey: observedKey(keyPath)) }
  }

  /// The same for a property that is a list: what is at `indexes`, or will be.
  public func willChange(
    _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String
  ) {
    PlainObservers.announce(self, key, .ofList(self, key, changeKind, indexes))
  }

  public func didChange(
    _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String
  ) { PlainObservers.report(self, key) }

  /// The same for a property that is a set.
  public func willChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind,
    using objects: Set<AnyHashable>
  ) {
    PlainObservers.announce(self, key, .ofSet(self, key, mutationKind, objects))
  }

  public func didChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind,
    using objects: Set<AnyHashable>
  ) { PlainObservers.report(self, key) }
}

extension ObservableManagedObject {
  /// ``NSManagedObject/willChangeValue(forKey:)``, with a key path of Swift.
  public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    willChangeValue(forKey: observedKey(keyPath))
  }

  /// ``NSManagedObject/didChangeValue(forKey:)``, with a key path of Swift.
  public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    didChangeValue(forKey: observedKey(keyPath))
  }
}

extension PropertyChange {
  fileprivate static func ofList(
    _ object: any KeyValueObservable, _ key: String, _ kind: NSKeyValueChange, _ indexes: IndexSet
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
    _ object: any KeyValueObservable, _ key: String, _ kind: NSKeyValueSetMutationKind,
    _ objects: Set<AnyHashable>
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
