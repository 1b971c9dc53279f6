extension NSManagedObject {
  /// Adds an observer of a property, or of a property at the end of a key path of to-one
  /// relationships.
  ///
  /// Neither the observer nor the object is kept alive. The observation ends with
  /// ``removeObserver(_:forKeyPath:)``, or when the observer or the object is freed. Stops the
  /// program for a key path through a to-many relationship.
  public final func addObserver(
    _ observer: any KeyValueObserver, forKeyPath keyPath: String,
    options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer? = nil
  ) {
    assertConfined()
    removeLostObservers()
    PropertyObserver(
      self, path: keyPath, options: options,
      recipient: .observer(.init(observer: observer), context: context)
    ).begin()
  }

  /// Ends the last observation of a key path by an observer. Stops the program if there is none.
  public final func removeObserver(_ observer: any KeyValueObserver, forKeyPath keyPath: String) {
    removeObserver(observer, path: keyPath, in: nil)
  }

  /// Ends the last observation of a key path by an observer that was added with this context. Stops
  /// the program if there is none.
  public final func removeObserver(
    _ observer: any KeyValueObserver, forKeyPath keyPath: String,
    context: UnsafeMutableRawPointer?
  ) {
    removeObserver(observer, path: keyPath, in: .some(context))
  }

  private func removeObserver(
    _ observer: any KeyValueObserver, path: String, in context: UnsafeMutableRawPointer??
  ) {
    assertConfined()
    guard let found = observers?.last(observer, path: path, in: context) else {
      fatalError(
        "Cannot remove an observer <\(type(of: observer))> for the key path \"\(path)\" from \(self), because it "
          + "is not registered as an observer.")
    }
    found.end()
  }

  private func removeLostObservers() {
    guard let observers else { return }
    for observer in observers.lost { observer.end() }
  }

  // MARK: - Table of observers

  final var observers: ObserverTable? { relations?.observers }

  final var madeObservers: ObserverTable {
    if let observers { return observers }
    let made = ObserverTable()
    madeRelations.observers = made
    flags.insert(.observed)
    registry?.hasObservedObjects = true
    return made
  }

  /// An object of another module that observes all properties; the managed object keeps it alive.
  package final var changeAnnouncer: AnyObject? {
    get { observers?.announcer }
    set { madeObservers.announcer = newValue }
  }

  /// Announces a change of a property outside the model, which its setter is about to set.
  package final func willSetOwnValue(_ key: String) {
    if flags.contains(.observed), layout.place(of: key) == nil { announceChange(key) }
  }

  package final func didSetOwnValue(_ key: String) {
    if flags.contains(.observed), layout.place(of: key) == nil { reportChange(key) }
  }

  final func forgetObserver(_ observer: PropertyObserver) {
    observers?.disown(observer)
    forgetEmptyObservers()
  }

  final func forgetWatch(_ watch: PropertyWatch) {
    observers?.remove(watch)
    forgetEmptyObservers()
  }

  private func forgetEmptyObservers() {
    guard let observers, observers.isEmpty, !observers.isInOperation else { return }
    relations?.observers = nil
    flags.remove(.observed)
  }

  // MARK: - Paths

  /// Keys of key-value coding that are no properties of the model and cannot be observed.
  private static let statesOfItself: Set<String> = [
    "objectID", "managedObjectContext", "hasChanges", "hasPersistentChangedValues", "faultingState",
    "isInserted", "inserted", "isUpdated", "updated", "isDeleted", "deleted", "isFault", "fault",
  ]

  /// Stops the program if changes at the end of the path cannot be reported.
  final func checkCanObserve(_ path: String) {
    if ComputedProperty.named(path) != nil { return }
    var entity: NSEntityDescription? = layout.entity
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    for (position, key) in keys.enumerated() {
      let isLast = position == keys.count - 1
      if key.isEmpty || key.hasPrefix("@") {
        fatalError(
          "\(type(of: self)) cannot be observed along the path “\(path)”: “\(key)” is no property. Observe the "
            + "relationship, and ask for the value when it changes.")
      }
      if isLast, Self.statesOfItself.contains(key), entity?.propertiesByName[key] == nil {
        fatalError(
          "\(type(of: self)) cannot be observed along the path “\(path)”: observers are told of properties, not of "
            + "“\(key)”. Use changes(ofKeys:) of the object, or the notifications of its context.")
      }
      let relationship = entity?.relationshipsByName[key]
      if let relationship, relationship.isToMany, !isLast {
        fatalError(
          "\(type(of: self)) cannot be observed along the path “\(path)”: the relationship “\(key)” is to many "
            + "objects. Observe “\(keys[...position].joined(separator: "."))”, and each object by itself."
        )
      }
      entity = relationship?.destinationEntity
    }
  }

  /// The object that a property leads to; nil if there is none, or none that can be watched.
  final func observedDestination(_ key: String) -> (any WatchedObject)? {
    switch layout.place(of: key) {
    case .slot(let slot) where layout.slots[slot].kind == .toOne: destination(slot)
    case nil: AccessorCalls.answer(self, key: key).flatMap(watchedObject)
    default: nil
    }
  }

  /// The value of a property of the model, whose name may contain dots.
  final func observedValue(_ key: String) -> Any? {
    key.contains(".") ? layout.place(of: key).flatMap(modelledValue) : value(forKey: key)
  }
}
