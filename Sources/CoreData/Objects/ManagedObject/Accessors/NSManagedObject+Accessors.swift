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
    return slowValue(slot, property)
  }

  @inline(never)
  private final func slowValue(_ slot: Int, _ property: ManagedProperty) -> Value {
    if recordedAccess(.slot(slot), property.name) != nil { return .null }
    return read(slot)
  }

  /// Writes `value` if the slot has the storage `storage`; otherwise sets `given`, converted to the
  /// type of the model.
  @inline(__always)
  private final func set(
    _ value: Value, _ storage: RowFormat.Storage, _ property: ManagedProperty,
    _ given: @autoclosure () -> Any?
  ) {
    if let slot = property.slot(in: layout), layout.format.pointee.places[slot].storage == storage {
      write(value, slot)
    } else {
      setModelledValue(given(), place(property), tracked: true)
    }
  }

  /// Converts a value that the model stores as another type than the class declares. Numbers are
  /// converted; any other mismatch stops the program.
  @inline(never)
  private final func converted<T>(_ value: Value, _ property: ManagedProperty) -> T? {
    if case .null = value { return nil }
    return declaredValue(value.boxed(attributeType(property)), property)
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
    case let other: converted(other, property) ?? 0
    }
  }

  private final func real(_ property: ManagedProperty) -> Double {
    switch value(property) {
    case .real(let value): value
    case .integer(let value): Double(value)
    case let other: converted(other, property) ?? 0
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
    setNumber(value, property)
  }
  /// Sets the value.
  public final func setManagedValue(_ value: Int, _ property: ManagedProperty) {
    setNumber(Int64(value), property)
  }
  /// Sets the value.
  public final func setManagedValue(_ value: Int32, _ property: ManagedProperty) {
    setNumber(Int64(value), property)
  }
  /// Sets the value.
  public final func setManagedValue(_ value: Int16, _ property: ManagedProperty) {
    setNumber(Int64(value), property)
  }
  /// Sets the value to 1 or 0.
  public final func setManagedValue(_ value: Bool, _ property: ManagedProperty) {
    setNumber(value ? 1 : 0, property)
  }
  /// Sets the value.
  public final func setManagedValue(_ value: Double, _ property: ManagedProperty) {
    set(.real(value), .real, property, value)
  }
  /// Sets the value.
  public final func setManagedValue(_ value: Float, _ property: ManagedProperty) {
    set(.real(Double(value)), .real, property, value)
  }

  private func setNumber(_ value: Int64, _ property: ManagedProperty) {
    set(.integer(value), .integer, property, value)
  }

  // MARK: Scalars that may be nil

  @inline(__always)
  private final func number<T>(
    _ property: ManagedProperty, _ fromInteger: (Int64) -> T, _ fromReal: (Double) -> T
  ) -> T? {
    switch value(property) {
    case .null: nil
    case .integer(let value): fromInteger(value)
    case .real(let value): fromReal(value)
    case let other: converted(other, property)
    }
  }

  /// The value, or nil.
  public final func managedValue(_ property: ManagedProperty) -> Int64? {
    number(property, { $0 }, Int64.init)
  }
  /// The lower 32 bits of the value, or nil.
  public final func managedValue(_ property: ManagedProperty) -> Int32? {
    number(property, Int32.init(truncatingIfNeeded:), Int32.init)
  }
  /// The lower 16 bits of the value, or nil.
  public final func managedValue(_ property: ManagedProperty) -> Int16? {
    number(property, Int16.init(truncatingIfNeeded:), Int16.init)
  }
  /// Whether the value is not 0, or nil.
  public final func managedValue(_ property: ManagedProperty) -> Bool? {
    number(property, { $0 != 0 }, { $0 != 0 })
  }
  /// The value, or nil.
  public final func managedValue(_ property: ManagedProperty) -> Double? {
    number(property, Double.init, { $0 })
  }
  /// The value rounded to single precision, or nil.
  public final func managedValue(_ property: ManagedProperty) -> Float? {
    number(property, Float.init, Float.init)
  }

  /// Sets the value.
  public final func setManagedValue(_ value: Int64?, _ property: ManagedProperty) {
    setNumber(value, property)
  }
  /// Sets the value.
  public final func setManagedValue(_ value: Int32?, _ property: ManagedProperty) {
    setNumber(value.map(Int64.init), property)
  }
  /// Sets the value.
  public final func setManagedValue(_ value: Int16?, _ property: ManagedProperty) {
    setNumber(value.map(Int64.init), property)
  }
  /// Sets the value to 1, 0 or nil.
  public final func setManagedValue(_ value: Bool?, _ property: ManagedProperty) {
    setNumber(value.map { $0 ? 1 : 0 }, property)
  }
  /// Sets the value.
  public final func setManagedValue(_ value: Double?, _ property: ManagedProperty) {
    set(value.map(Value.real) ?? .null, .real, property, value)
  }
  /// Sets the value.
  public final func setManagedValue(_ value: Float?, _ property: ManagedProperty) {
    set(value.map { .real(Double($0)) } ?? .null, .real, property, value)
  }

  private func setNumber(_ value: Int64?, _ property: ManagedProperty) {
    set(value.map(Value.integer) ?? .null, .integer, property, value)
  }

  // MARK: Values

  /// The text, or nil.
  public final func managedValue(_ property: ManagedProperty) -> String? {
    switch value(property) {
    case .text(let value): value
    case let other: converted(other, property)
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
    case let other: converted(other, property)
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
    case let other: converted(other, property)
    }
  }
  /// The bytes; nil reads as no bytes.
  public final func managedValue(_ property: ManagedProperty) -> Data {
    managedValue(property) ?? Data()
  }

  /// Sets the text.
  public final func setManagedValue(_ value: String?, _ property: ManagedProperty) {
    set(value.map(Value.text) ?? .null, .text, property, value)
  }
  /// Sets the date.
  public final func setManagedValue(_ value: Date?, _ property: ManagedProperty) {
    set(value.map { .real($0.timeIntervalSinceReferenceDate) } ?? .null, .real, property, value)
  }
  /// Sets the bytes.
  public final func setManagedValue(_ value: Data?, _ property: ManagedProperty) {
    set(value.map(Value.data) ?? .null, .data, property, value)
  }
}
