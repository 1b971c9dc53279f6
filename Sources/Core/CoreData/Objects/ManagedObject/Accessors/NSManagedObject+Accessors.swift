// The implementation of `@NSManaged` accessors for plain values: one overload per property type,
// selected by the type that the class declares.

extension NSManagedObject {
  @inline(__always)
  private final func value(_ property: ManagedProperty) -> Value {
    guard let slot = property.slot(in: layout) else { fatalError(noAttribute(property)) }
    // Sound: this object keeps the row alive, and reading a slot does not replace it.
    if flags.isDisjoint(with: .slowReads), let row = currentReference {
      return row._withUnsafeGuaranteedRef { $0[slot] }
    }
    return slowValue(slot, property: property)
  }

  @inline(never)
  private final func slowValue(_ slot: Int, property: ManagedProperty) -> Value {
    if recordedAccess(.slot(slot), key: property.name) != nil { return .null }
    return read(slot)
  }

  /// Writes `value` if the slot has the storage `storage`; otherwise sets `given`, converted to the
  /// type of the model.
  @inline(__always)
  private final func set(
    _ value: Value, storage: RowFormat.Storage, property: ManagedProperty,
    given: @autoclosure () -> Any?
  ) {
    if let slot = property.slot(in: layout), layout.format.pointee.places[slot].storage == storage {
      write(value, slot: slot)
    } else {
      setModelledValue(given(), place: place(property), tracked: true)
    }
  }

  /// Converts a value that the model stores as another type than the class declares. Numbers are
  /// converted; any other mismatch stops the program.
  @inline(never)
  private final func converted<T>(_ value: Value, property: ManagedProperty) -> T? {
    if case .null = value { return nil }
    return declaredValue(value.boxed(attributeType(property)), property: property)
  }

  private final func attributeType(_ property: ManagedProperty) -> NSAttributeType {
    if let slot = property.slot(in: layout), case .attribute(let type) = layout.slots[slot].kind {
      type
    } else {
      .undefinedAttributeType
    }
  }

  private final func integer(_ property: ManagedProperty) -> Int64 {
    switch value(property) {
    case .integer(let value): value
    case .real(let value): Int64(value)
    case let other: converted(other, property: property) ?? 0
    }
  }

  private final func real(_ property: ManagedProperty) -> Double {
    switch value(property) {
    case .real(let value): value
    case .integer(let value): Double(value)
    case let other: converted(other, property: property) ?? 0
    }
  }

  // MARK: Scalars: nil in the store reads as 0

  /// The value; nil reads as 0.
  public final func managedValue(_ property: ManagedProperty) -> Int64 { integer(property) }
  /// The value; nil reads as 0.
  public final func managedValue(_ property: ManagedProperty) -> Int { Int(integer(property)) }
  /// The lower 32 bits of the value; nil reads as 0.
  public final func managedValue(_ property: ManagedProperty) -> Int32 {
    Int32(truncatingIfNeeded: integer(property))
  }
  /// The lower 16 bits of the value; nil reads as 0.
  public final func managedValue(_ property: ManagedProperty) -> Int16 {
    Int16(truncatingIfNeeded: integer(property))
  }
  /// Whether the value is not 0; nil reads as false.
  public final func managedValue(_ property: ManagedProperty) -> Bool { integer(property) != 0 }
  /// The value; nil reads as 0.
  public final func managedValue(_ property: ManagedProperty) -> Double { real(property) }
  /// The value, rounded to single precision; nil reads as 0.
  public final func managedValue(_ property: ManagedProperty) -> Float { Float(real(property)) }

  /// Sets the value.
  public final func setManagedValue(_ value: Int64, _ property: ManagedProperty) {
    setNumber(value, property: property)
  }
  /// Sets the value.
  public final func setManagedValue(_ value: Int, _ property: ManagedProperty) {
    setNumber(Int64(value), property: property)
  }
  /// Sets the value.
  public final func setManagedValue(_ value: Int32, _ property: ManagedProperty) {
    setNumber(Int64(value), property: property)
  }
  /// Sets the value.
  public final func setManagedValue(_ value: Int16, _ property: ManagedProperty) {
    setNumber(Int64(value), property: property)
  }
  /// Sets the value to 1 or 0.
  public final func setManagedValue(_ value: Bool, _ property: ManagedProperty) {
    setNumber(value ? 1 : 0, property: property)
  }
  /// Sets the value.
  public final func setManagedValue(_ value: Double, _ property: ManagedProperty) {
    set(.real(value), storage: .real, property: property, given: value)
  }
  /// Sets the value.
  public final func setManagedValue(_ value: Float, _ property: ManagedProperty) {
    set(.real(Double(value)), storage: .real, property: property, given: value)
  }

  private func setNumber(_ value: Int64, property: ManagedProperty) {
    set(.integer(value), storage: .integer, property: property, given: value)
  }

  // MARK: Scalars that may be nil

  @inline(__always)
  private final func number<T>(
    _ property: ManagedProperty, fromInteger: (Int64) -> T, fromReal: (Double) -> T
  ) -> T? {
    switch value(property) {
    case .null: nil
    case .integer(let value): fromInteger(value)
    case .real(let value): fromReal(value)
    case let other: converted(other, property: property)
    }
  }

  /// The value, or nil.
  public final func managedValue(_ property: ManagedProperty) -> Int64? {
    number(property, fromInteger: { $0 }, fromReal: Int64.init)
  }
  /// The lower 32 bits of the value, or nil.
  public final func managedValue(_ property: ManagedProperty) -> Int32? {
    number(property, fromInteger: Int32.init(truncatingIfNeeded:), fromReal: Int32.init)
  }
  /// The lower 16 bits of the value, or nil.
  public final func managedValue(_ property: ManagedProperty) -> Int16? {
    number(property, fromInteger: Int16.init(truncatingIfNeeded:), fromReal: Int16.init)
  }
  /// Whether the value is not 0, or nil.
  public final func managedValue(_ property: ManagedProperty) -> Bool? {
    number(property, fromInteger: { $0 != 0 }, fromReal: { $0 != 0 })
  }
  /// The value, or nil.
  public final func managedValue(_ property: ManagedProperty) -> Double? {
    number(property, fromInteger: Double.init, fromReal: { $0 })
  }
  /// The value rounded to single precision, or nil.
  public final func managedValue(_ property: ManagedProperty) -> Float? {
    number(property, fromInteger: Float.init, fromReal: Float.init)
  }

  /// Sets the value.
  public final func setManagedValue(_ value: Int64?, _ property: ManagedProperty) {
    setNumber(value, property: property)
  }
  /// Sets the value.
  public final func setManagedValue(_ value: Int32?, _ property: ManagedProperty) {
    setNumber(value.map(Int64.init), property: property)
  }
  /// Sets the value.
  public final func setManagedValue(_ value: Int16?, _ property: ManagedProperty) {
    setNumber(value.map(Int64.init), property: property)
  }
  /// Sets the value to 1, 0 or nil.
  public final func setManagedValue(_ value: Bool?, _ property: ManagedProperty) {
    setNumber(value.map { $0 ? 1 : 0 }, property: property)
  }
  /// Sets the value.
  public final func setManagedValue(_ value: Double?, _ property: ManagedProperty) {
    set(value.map(Value.real) ?? .null, storage: .real, property: property, given: value)
  }
  /// Sets the value.
  public final func setManagedValue(_ value: Float?, _ property: ManagedProperty) {
    set(value.map { .real(Double($0)) } ?? .null, storage: .real, property: property, given: value)
  }

  private func setNumber(_ value: Int64?, property: ManagedProperty) {
    set(value.map(Value.integer) ?? .null, storage: .integer, property: property, given: value)
  }

  // MARK: Values

  /// The text, or nil.
  public final func managedValue(_ property: ManagedProperty) -> String? {
    switch value(property) {
    case .text(let value): value
    case let other: converted(other, property: property)
    }
  }
  /// The text; nil reads as the empty string.
  public final func managedValue(_ property: ManagedProperty) -> String {
    managedValue(property) ?? ""
  }
  /// The date, or nil.
  public final func managedValue(_ property: ManagedProperty) -> Date? {
    switch value(property) {
    case .real(let value): Date(timeIntervalSinceReferenceDate: value)
    case let other: converted(other, property: property)
    }
  }
  /// The date; nil reads as 2001-01-01 UTC.
  public final func managedValue(_ property: ManagedProperty) -> Date {
    managedValue(property) ?? Date(timeIntervalSinceReferenceDate: 0)
  }
  /// The bytes, or nil.
  public final func managedValue(_ property: ManagedProperty) -> Data? {
    switch value(property) {
    case .data(let value): value
    case let other: converted(other, property: property)
    }
  }
  /// The bytes; nil reads as no bytes.
  public final func managedValue(_ property: ManagedProperty) -> Data {
    managedValue(property) ?? Data()
  }

  /// Sets the text.
  public final func setManagedValue(_ value: String?, _ property: ManagedProperty) {
    set(value.map(Value.text) ?? .null, storage: .text, property: property, given: value)
  }
  /// Sets the date.
  public final func setManagedValue(_ value: Date?, _ property: ManagedProperty) {
    set(
      value.map { .real($0.timeIntervalSinceReferenceDate) } ?? .null, storage: .real,
      property: property, given: value)
  }
  /// Sets the bytes.
  public final func setManagedValue(_ value: Data?, _ property: ManagedProperty) {
    set(value.map(Value.data) ?? .null, storage: .data, property: property, given: value)
  }
}
