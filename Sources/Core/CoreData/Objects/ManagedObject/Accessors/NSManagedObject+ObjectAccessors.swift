// The implementation of `@NSManaged` accessors for relationships, and for attributes of every type
// that is bridged.

extension NSManagedObject {
  /// Makes the cached property name that an accessor of this class uses.
  public static func managedProperty(_ name: String) -> ManagedProperty { ManagedProperty(name) }

  // MARK: To-one relationships

  /// The object that a to-one relationship leads to, or nil. Stops the program if it is of another
  /// class.
  public final func managedValue<Destination: NSManagedObject>(
    _ property: ManagedProperty, as type: Destination?.Type = Destination?.self
  ) -> Destination? {
    guard let slot = property.slot(in: layout) else { fatalError(noAttribute(property)) }
    // The object mostly has exactly the declared class; a dynamic cast costs several times as much.
    if let object = registeredDestination(slot), Swift.type(of: object) == Destination.self {
      return unsafeDowncast(object, to: Destination.self)
    }
    return destination(slot, property: property)
  }

  /// The destination in all cases but a registered object of exactly the declared class.
  @inline(never)
  private func destination<Destination: NSManagedObject>(
    _ slot: Int, property: ManagedProperty
  ) -> Destination? {
    if let probe = recordedAccess(.slot(slot), key: property.name) {
      return probe.value as? Destination
        ?? registry?.recorder.flatMap(Destination.makeProbe) as? Destination
    }
    guard let object = destination(slot) ?? boxedAttribute(slot) else { return nil }
    guard let typed = object as? Destination else {
      fatalError(wrongType(property, type: Destination.self, value: object))
    }
    return typed
  }

  /// The value of a transformable attribute that the class declares as a managed object.
  private func boxedAttribute(_ slot: Int) -> Any? {
    layout.slots[slot].kind == .toOne ? nil : modelledValue(.slot(slot))
  }

  /// The object that a to-one relationship leads to. Stops the program if it is nil.
  public final func managedValue<Destination: NSManagedObject>(
    _ property: ManagedProperty, as type: Destination.Type = Destination.self
  ) -> Destination {
    if let object = managedValue(property, as: Destination?.self) { return object }
    if let recorder = registry?.recorder { return recorder.value(type) }
    fatalError(nilText(property, type: type))
  }

  /// Sets a to-one relationship and its inverse.
  public final func setManagedValue<Destination: NSManagedObject>(
    _ value: Destination?, _ property: ManagedProperty
  ) {
    guard let slot = property.slot(in: layout) else { fatalError(noAttribute(property)) }
    setSlot(value, slot: slot, tracked: true)
  }

  // MARK: To-many relationships
  // Immutable sets, which bridge to Swift's; the mutable sets below do not.

  /// The members of a to-many relationship as a set; nil if a transformable value is nil.
  public final func managedValue(_ property: ManagedProperty) -> NSSet? {
    managedValue(property, as: NSSet?.self)
  }

  /// The members of a to-many relationship as a set.
  public final func managedValue(_ property: ManagedProperty) -> NSSet {
    managedValue(property, as: NSSet.self)
  }

  /// The members of an ordered relationship; nil if a transformable value is nil.
  public final func managedValue(_ property: ManagedProperty) -> NSOrderedSet? {
    managedValue(property, as: NSOrderedSet?.self)
  }

  /// The members of an ordered relationship.
  public final func managedValue(_ property: ManagedProperty) -> NSOrderedSet {
    managedValue(property, as: NSOrderedSet.self)
  }

  /// A mutable set of the members; its changes are edits of this object.
  public final func managedValue(
    _ property: ManagedProperty, as type: NSMutableSet.Type = NSMutableSet.self
  ) -> NSMutableSet {
    if recordedAccess(place(property), key: property.name) != nil { return NSMutableSet() }
    return mutableSetValue(forKey: property.name)
  }

  /// A mutable ordered set of the members; its changes are edits of this object.
  public final func managedValue(
    _ property: ManagedProperty, as type: NSMutableOrderedSet.Type = NSMutableOrderedSet.self
  ) -> NSMutableOrderedSet {
    if recordedAccess(place(property), key: property.name) != nil { return NSMutableOrderedSet() }
    return mutableOrderedSetValue(forKey: property.name)
  }

  /// A mutable set of the members; its changes are edits of this object.
  public final func managedValue(
    _ property: ManagedProperty, as type: NSMutableSet?.Type
  ) -> NSMutableSet? {
    managedValue(property, as: NSMutableSet.self)
  }

  /// A mutable ordered set of the members; its changes are edits of this object.
  public final func managedValue(
    _ property: ManagedProperty, as type: NSMutableOrderedSet?.Type
  ) -> NSMutableOrderedSet? {
    managedValue(property, as: NSMutableOrderedSet.self)
  }

  // MARK: Swift sets, made directly: bridging an NSSet would take longer than reading the members

  /// The members of a to-many relationship as a Swift set.
  public final func managedValue<Member: NSManagedObject>(
    _ property: ManagedProperty, as type: Set<Member>.Type = Set<Member>.self
  ) -> Set<Member> {
    let place = place(property)
    if let probe = recordedAccess(place, key: property.name) {
      return probe.value as? Set<Member> ?? registry!.recorder!.value(type)
    }
    return memberSet(place) ?? declaredValue(modelledValue(place), property: property)
  }

  /// The members of a to-many relationship as a Swift set; nil if a transformable value is nil.
  public final func managedValue<Member: NSManagedObject>(
    _ property: ManagedProperty, as type: Set<Member>?.Type = Set<Member>?.self
  ) -> Set<Member>? {
    let place = place(property)
    if let probe = recordedAccess(place, key: property.name) {
      return probe.value as? Set<Member> ?? registry!.recorder!.value(type)
    }
    return memberSet(place) ?? declaredValue(modelledValue(place), property: property)
  }

  /// The members of an unordered relationship; nil for any other property, and if a member is not a
  /// `Member`.
  private func memberSet<Member: NSManagedObject>(_ place: EntityLayout.Place) -> Set<Member>? {
    guard case .toMany(let index) = place, !layout.toMany[index].isOrdered else { return nil }
    let objects = memberObjects(index)
    var members = Set<Member>(minimumCapacity: objects.count)
    var known: ObjectIdentifier?
    for object in objects {
      let type = ObjectIdentifier(Swift.type(of: object))
      if type != known {
        guard object is Member else { return nil }
        known = type
      }
      // Sound: an object of this exact class has been tested above.
      members.insert(unsafeDowncast(object, to: Member.self))
    }
    return members
  }

  // MARK: All other types, through those of key-value coding

  @_disfavoredOverload
  /// The value as the declared type, converted from the type of key-value coding.
  public final func managedValue<T>(_ property: ManagedProperty, as type: T.Type = T.self) -> T {
    let place = place(property)
    if let probe = recordedAccess(place, key: property.name) {
      return probe.value as? T ?? registry!.recorder!.value(type)
    }
    return declaredValue(modelledValue(place), property: property)
  }

  /// Converts a value to the type that the class declares for its property. Stops the program if
  /// that is impossible.
  final func declaredValue<T>(_ value: Any?, property: ManagedProperty) -> T {
    guard let value else {
      if let empty = DeclaredType.empty(T.self) { return empty }
      fatalError(nilText(property, type: T.self))
    }
    if let typed = DeclaredType.value(value, as: T.self) { return typed }
    let unreadable = value as? UndecodedValue
    let isUnknownCase = DeclaredType.isUnknownCase(value, of: T.self)
    if unreadable != nil || isUnknownCase, let none = Optional<Any>.none as? T {
      unreadable?.report()
      return none
    }
    if isUnknownCase { fatalError(unknownCase(value, property: property, type: T.self)) }
    fatalError(unreadable?.reason ?? wrongType(property, type: T.self, value: value))
  }

  @_disfavoredOverload
  /// Sets a value of any other type that the property accepts.
  public final func setManagedValue<T>(_ value: T, _ property: ManagedProperty) {
    setModelledValue(value, place: place(property), tracked: true)
  }

  final func place(_ property: ManagedProperty) -> EntityLayout.Place {
    if let slot = property.slot(in: layout) { return .slot(slot) }
    if let index = property.fetched(in: layout) { return .fetched(index) }
    if let index = property.composite(in: layout) { return .composite(index) }
    return .toMany(property.toMany(in: layout)!)
  }

  // MARK: Stored values, without accessors and change tracking

  /// The accessor of `primitiveTitle`: the stored value of `title`, unless the model has a property
  /// `primitiveTitle`.
  public final func managedPrimitiveValue<T>(
    _ property: ManagedProperty, as type: T.Type = T.self
  ) -> T {
    let key = primitiveKey(property.name)
    if let recorder = registry?.recorder {
      recorder.recordOnce(key ?? property.name)
      return recorder.value(type)
    }
    guard let key else { return managedValue(property, as: type) }
    return declaredValue(primitiveValue(forKey: key), property: property)
  }

  /// Sets the stored value of `title` for the accessor of `primitiveTitle`, without change
  /// tracking; sets the property `primitiveTitle` if the model has one.
  public final func setManagedPrimitiveValue<T>(_ value: T, _ property: ManagedProperty) {
    if let key = primitiveKey(property.name) {
      setPrimitiveValue(value, forKey: key)
    } else {
      setManagedValue(value, property)
    }
  }

  /// The key without its prefix `primitive`; nil if the model has a property of the full name.
  private final func primitiveKey(_ name: String) -> String? {
    guard layout.place(of: name) == nil else { return nil }
    let rest = String(name.dropFirst("primitive".count))
    return layout.place(of: rest) == nil ? rest.prefix(1).lowercased() + rest.dropFirst() : rest
  }
}

// MARK: - Messages of programming errors

extension NSManagedObject {
  private func fullName(_ property: ManagedProperty) -> String {
    "\(layout.entity.name ?? "").\(property.name)"
  }

  final func noAttribute(_ property: ManagedProperty) -> String {
    "The class \(Self.self) declares @NSManaged \(property.name) as a single value, and “\(fullName(property))” "
      + "is a to-many relationship or a composite attribute. Declare it as a set or a dictionary."
  }

  final func wrongType(_ property: ManagedProperty, type: Any.Type, value: Any) -> String {
    "The class \(Self.self) declares @NSManaged \(property.name) as \(type), which the values of "
      + "“\(fullName(property))”, of the class \(Swift.type(of: value)), cannot be. Declare the type that the "
      + "model has."
  }

  private func nilText(_ property: ManagedProperty, type: Any.Type) -> String {
    "“\(fullName(property))” is nil, and the class \(Self.self) declares it as never nil. Declare it as "
      + "\(type)?, or set it before it is read."
  }

  private func unknownCase(_ value: Any, property: ManagedProperty, type: Any.Type) -> String {
    "“\(fullName(property))” has the value \(value), which is the raw value of no case of \(type). Declare it "
      + "as \(type)? to read nil then."
  }
}

extension UndecodedValue {
  /// Logs the reason: an accessor cannot throw, so an unreadable value is read as nil.
  fileprivate func report() {
    FileHandle.standardError.write(Data("CoreData: error: \(reason)\n".utf8))
  }
}
