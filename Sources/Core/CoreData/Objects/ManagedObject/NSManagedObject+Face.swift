// Access of typed faces to a managed object: stored values, without boxes.
extension NSManagedObject {
  package final func faceValue(_ property: ManagedProperty) -> Value { readFaceValue(property) }

  @inline(__always)
  private final func readFaceValue(_ property: ManagedProperty) -> Value {
    guard let slot = property.slot(in: layout) else { return .null }
    noteFaceRead(property)
    return read(slot)
  }

  // Values of plain types without an intermediate `Value`: `.some(nil)` for null, nil for another
  // type.

  package final func faceText(_ property: ManagedProperty) -> String?? {
    switch readFaceValue(property) {
    case .text(let value): .some(value)
    case .null: .some(nil)
    default: nil
    }
  }

  package final func faceInteger(_ property: ManagedProperty) -> Int64?? {
    switch readFaceValue(property) {
    case .integer(let value): .some(value)
    case .null: .some(nil)
    default: nil
    }
  }

  package final func faceReal(_ property: ManagedProperty) -> Double?? {
    switch readFaceValue(property) {
    case .real(let value): .some(value)
    case .null: .some(nil)
    default: nil
    }
  }

  package final func setFaceValue(_ value: Value, property: ManagedProperty) {
    guard let slot = property.slot(in: layout) else { return }
    write(value, slot: slot)
  }

  /// Sets a stored value of an object without a context: no edit is noted and no observer is
  /// notified.
  package final func initializeFaceValue(_ value: Value, property: ManagedProperty) {
    guard let slot = property.slot(in: layout), !writeInPlace(value, slot: slot) else { return }
    editableRow[slot] = value
  }

  /// The dictionary of a composite attribute; nil if all elements are nil.
  package final func faceElements(_ property: ManagedProperty) -> [String: Any]? {
    noteFaceRead(property)
    guard let index = property.composite(in: layout) else { return nil }
    return layout.compositeValue(index) { read($0) }
  }

  package final func setFaceElements(_ elements: [String: Any]?, property: ManagedProperty) {
    setModelledValue(elements, place: place(property), tracked: true)
  }

  /// Any other value of an attribute, boxed.
  package final func faceObject(_ property: ManagedProperty) -> Any? {
    noteFaceRead(property)
    return modelledValue(place(property))
  }

  package final func setFaceObject(_ value: Any?, property: ManagedProperty) {
    setModelledValue(value, place: place(property), tracked: true)
  }

  package final func faceDestination(_ property: ManagedProperty) -> NSManagedObject? {
    noteFaceRead(property)
    guard let slot = property.slot(in: layout) else { return nil }
    return registeredDestination(slot, unless: .fault) ?? destination(slot)
  }

  package final func setFaceDestination(
    _ destination: NSManagedObject?, property: ManagedProperty
  ) {
    if let slot = property.slot(in: layout) { setDestination(destination, slot: slot) }
  }

  /// The members of a to-many relationship: saved members by primary key, then new ones in the
  /// order of their creation.
  package final func faceMembers(_ property: ManagedProperty) -> [NSManagedObject] {
    noteFaceRead(property)
    guard let index = property.toMany(in: layout) else { return [] }
    let members = memberObjects(index)
    // A save does not keep the members in this order.
    let isInOrder = zip(members, members.dropFirst()).allSatisfy {
      $0.packedIdentity.bits < $1.packedIdentity.bits
    }
    return isInOrder
      ? members : members.sorted { $0.packedIdentity.bits < $1.packedIdentity.bits }
  }

  package final func setFaceMembers(_ members: [NSManagedObject], property: ManagedProperty) {
    setModelledValue(members, place: place(property), tracked: true)
  }

  @inline(__always)
  private final func noteFaceRead(_ property: ManagedProperty) {
    if flags.contains(.observable), isReadTracked { noteTrackedRead(property.name) }
  }

  /// Whether the store has lost the object, or the context has released it.
  package final var isGone: Bool { registry?.context == nil || flags.contains(.goneFromStore) }

  /// Whether the object is in its context and not deleted.
  package final var isPresent: Bool { lifecycle.isPresent }

  /// The parts of the ID's address, without making an ID.
  package final var addressParts: (store: String?, reference: String) {
    NSManagedObjectID.addressParts(packedIdentity, space: space)
  }

  /// The reference of ``addressParts`` alone.
  package final var addressReference: String {
    guard let spaceReference else { return addressParts.reference }
    // Sound: the object or its registry keeps the space alive.
    return spaceReference._withUnsafeGuaranteedRef { $0.reference(packedIdentity.key) }
  }

  /// The part that addresses of one store and entity share; objects of a group differ only in the
  /// reference.
  package struct AddressGroup: Equatable {
    fileprivate let space: UnsafeMutableRawPointer?
    /// The layout's address; layouts are never freed.
    fileprivate let layout: UnsafeMutableRawPointer
  }

  package final var addressGroup: AddressGroup {
    // Sound: only addresses are kept and compared.
    AddressGroup(
      space: spaceReference?.toOpaque(), layout: Unmanaged.passUnretained(layout).toOpaque())
  }

  /// Fixes the object's position among new objects, which is the order of these calls.
  package final func settleIdentity() { _ = packedIdentity }
}
