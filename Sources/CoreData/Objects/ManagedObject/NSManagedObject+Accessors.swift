// What the accessors of `@NSManaged` properties call: one overload per type that a property can
// have, chosen by the type that the class declares.

extension NSManagedObject {
  @inline(__always)
  private final func value(_ property: ManagedProperty) -> Value {
    guard let slot = property.slot(in: layout) else { fatalError(wrongType(property, "a set")) }
    if !flags.contains(.fault), let row = currentReference {
      return row._withUnsafeGuaranteedRef { $0[slot] }
    }
    return valueOfFault(slot, property)
  }

  @inline(never)
  private final func valueOfFault(_ slot: Int, _ property: ManagedProperty) -> Value {
    if flags.contains(.probe), recordedAccess(.slot(slot), property.name) != nil { return .null }
    return read(slot)
  }

  private final func set(_ value: Value, _ property: ManagedProperty) {
    guard let slot = property.slot(in: layout) else { fatalError(wrongType(property, "a set")) }
    write(value, slot)
  }

  private final func wrongType(_ property: ManagedProperty, _ expected: String) -> String {
    "The class \(Self.self) declares @NSManaged \(property.name) with a type that its model does "
      + "not have: expected \(expected)."
  }

  private final func integer(_ property: ManagedProperty) -> Int64 {
    switch value(property) {
    case .integer(let value): value
    case .real(let value): Int64(value)
    default: 0
    }
  }

  private final func real(_ property: ManagedProperty) -> Double {
    switch value(property) {
    case .real(let value): value
    case .integer(let value): Double(value)
    default: 0
    }
  }

  // MARK: Scalars: nil in the store reads as 0

  public final func managedValue(_ property: ManagedProperty) -> Int64 { integer(property) }
  public final func managedValue(_ property: ManagedProperty) -> Int { Int(integer(property)) }
  public final func managedValue(_ property: ManagedProperty) -> Int32 {
    Int32(truncatingIfNeeded: integer(property))
  }
  public final func managedValue(_ property: ManagedProperty) -> Int16 {
    Int16(truncatingIfNeeded: integer(property))
  }
  public final func managedValue(_ property: ManagedProperty) -> Bool { integer(property) != 0 }
  public final func managedValue(_ property: ManagedProperty) -> Double { real(property) }
  public final func managedValue(_ property: ManagedProperty) -> Float { Float(real(property)) }

  public final func setManagedValue(_ value: Int64, _ property: ManagedProperty) {
    setNumber(value, property)
  }
  public final func setManagedValue(_ value: Int, _ property: ManagedProperty) {
    setNumber(Int64(value), property)
  }
  public final func setManagedValue(_ value: Int32, _ property: ManagedProperty) {
    setNumber(Int64(value), property)
  }
  public final func setManagedValue(_ value: Int16, _ property: ManagedProperty) {
    setNumber(Int64(value), property)
  }
  public final func setManagedValue(_ value: Bool, _ property: ManagedProperty) {
    setNumber(value ? 1 : 0, property)
  }
  public final func setManagedValue(_ value: Double, _ property: ManagedProperty) {
    set(.real(value), property)
  }
  public final func setManagedValue(_ value: Float, _ property: ManagedProperty) {
    set(.real(Double(value)), property)
  }

  private func setNumber(_ value: Int64, _ property: ManagedProperty) {
    set(.integer(value), property)
  }

  // MARK: Values

  public final func managedValue(_ property: ManagedProperty) -> String? {
    if case .text(let value) = value(property) { value } else { nil }
  }
  public final func managedValue(_ property: ManagedProperty) -> String {
    if case .text(let value) = value(property) { value } else { "" }
  }
  public final func managedValue(_ property: ManagedProperty) -> Date? {
    if case .real(let value) = value(property) {
      Date(timeIntervalSinceReferenceDate: value)
    } else {
      nil
    }
  }
  public final func managedValue(_ property: ManagedProperty) -> Date {
    Date(timeIntervalSinceReferenceDate: real(property))
  }
  public final func managedValue(_ property: ManagedProperty) -> Data? {
    switch value(property) {
    case .data(let value): return value
    case .object(let value as ExternalData):
      if let data = value.data { return data }
      UndecodedValue(missing: value).report()
      return nil
    default: return nil
    }
  }

  public final func setManagedValue(_ value: String?, _ property: ManagedProperty) {
    set(value.map(Value.text) ?? .null, property)
  }
  public final func setManagedValue(_ value: Date?, _ property: ManagedProperty) {
    set(value.map { .real($0.timeIntervalSinceReferenceDate) } ?? .null, property)
  }
  public final func setManagedValue(_ value: Data?, _ property: ManagedProperty) {
    set(value.map(Value.data) ?? .null, property)
  }

  // MARK: To-one relationships

  public final func managedValue<Destination: NSManagedObject>(
    _ property: ManagedProperty
  ) -> Destination? {
    guard let slot = property.slot(in: layout) else { fatalError(wrongType(property, "a set")) }
    // The exact class is the usual case; a dynamic cast costs several times as much.
    if let object = registeredDestination(slot), type(of: object) == Destination.self {
      return unsafeDowncast(object, to: Destination.self)
    }
    return destination(slot, property)
  }

  /// The same in all other cases.
  @inline(never)
  private func destination<Destination: NSManagedObject>(
    _ slot: Int, _ property: ManagedProperty
  ) -> Destination? {
    if let recorded = recordedAccess(.slot(slot), property.name) {
      return recorded.value as? Destination
    }
    guard let object = destination(slot) else { return nil }
    guard let typed = object as? Destination else {
      fatalError(
        wrongType(
          property, "\(type(of: object)), the class of its entity “\(object.entity.name ?? "")”"))
    }
    return typed
  }

  public final func managedValue<Destination: NSManagedObject>(
    _ property: ManagedProperty
  ) -> Destination {
    guard let object: Destination = managedValue(property) else {
      fatalError(
        "\(layout.entity.name ?? "").\(property.name) is nil, and the class declares it as never "
          + "nil. Declare it as \(Destination.self)?.")
    }
    return object
  }

  public final func setManagedValue<Destination: NSManagedObject>(
    _ value: Destination?, _ property: ManagedProperty
  ) {
    guard let slot = property.slot(in: layout) else { fatalError(wrongType(property, "a set")) }
    setDestination(value, slot)
  }

  // MARK: Mutable collections, whose changes are the object's

  public final func managedValue(_ property: ManagedProperty) -> NSMutableSet {
    if recordedAccess(place(property), property.name) != nil { return NSMutableSet() }
    return mutableSetValue(forKey: property.name)
  }

  public final func managedValue(_ property: ManagedProperty) -> NSMutableOrderedSet {
    if recordedAccess(place(property), property.name) != nil { return NSMutableOrderedSet() }
    return mutableOrderedSetValue(forKey: property.name)
  }

  // MARK: Everything else, through key-value coding's types

  @_disfavoredOverload
  public final func managedValue<T>(_ property: ManagedProperty) -> T {
    let place = place(property)
    let value =
      recordedAccess(place, property.name).map(\.value) ?? modelledValue(place)
    if let typed = value as? T { return typed }
    // As Apple's accessors, which hand out a number whatever class of numbers is declared.
    if let number = value as? NSNumber,
      let typed = NSDecimalNumber(decimal: number.decimalValue) as? T
    {
      return typed
    }
    let unreadable = value as? UndecodedValue
    if let empty = Optional<Any>.none as? T {
      unreadable?.report()
      return empty
    }
    let given = value.map { "\(Swift.type(of: $0))" } ?? "an optional: the value is nil"
    fatalError(unreadable?.reason ?? wrongType(property, given))
  }

  @_disfavoredOverload
  public final func setManagedValue<T>(_ value: T, _ property: ManagedProperty) {
    setModelledValue(value, place(property), tracked: true)
  }

  private func place(_ property: ManagedProperty) -> EntityLayout.Place {
    if let slot = property.slot(in: layout) { return .slot(slot) }
    if let index = property.composite(in: layout) { return .composite(index) }
    return .toMany(property.toMany(in: layout)!)
  }
}

extension UndecodedValue {
  /// A property cannot throw: an unreadable value is nil there, and the log says why.
  fileprivate func report() {
    FileHandle.standardError.write(Data("CoreData: error: \(reason)\n".utf8))
  }
}
