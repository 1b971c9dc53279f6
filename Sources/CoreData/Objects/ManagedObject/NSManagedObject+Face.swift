/// Makes the objects of an entity without a class name in the model: the models of SwiftData are faces of such
/// objects.
package struct ManagedObjectFactory: Sendable {
  package let type: NSManagedObject.Type
  package let make: ManagedObjectClasses.Factory

  package init(_ type: NSManagedObject.Type, make: @escaping ManagedObjectClasses.Factory) {
    self.type = type
    self.make = make
  }
}

// What a typed face of a managed object reads and writes through: values as they are stored, without boxes.
extension NSManagedObject {
  package final func faceValue(_ property: ManagedProperty) -> Value { readFaceValue(property) }

  @inline(__always)
  private final func readFaceValue(_ property: ManagedProperty) -> Value {
    guard let slot = property.slot(in: layout) else { return .null }
    noteFaceRead(property)
    return read(slot)
  }

  // Values of the plain types, without a `Value` on the way. `.some(nil)` stands for null, nil for a value of another type.

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

  package final func setFaceValue(_ value: Value, _ property: ManagedProperty) {
    guard let slot = property.slot(in: layout) else { return }
    write(value, slot)
  }

  /// The same for an object that no context has, so that nobody is to be told.
  package final func initializeFaceValue(_ value: Value, _ property: ManagedProperty) {
    guard let slot = property.slot(in: layout), !writeInPlace(value, slot) else { return }
    editableRow[slot] = value
  }

  /// The dictionary of a composite attribute; nil when all its elements are.
  package final func faceElements(_ property: ManagedProperty) -> [String: Any]? {
    noteFaceRead(property)
    guard let index = property.composite(in: layout) else { return nil }
    return layout.compositeValue(index) { read($0) }
  }

  package final func setFaceElements(_ elements: [String: Any]?, _ property: ManagedProperty) {
    setModelledValue(elements, place(property), tracked: true)
  }

  /// Any other value of an attribute, boxed.
  package final func faceObject(_ property: ManagedProperty) -> Any? {
    noteFaceRead(property)
    return modelledValue(place(property))
  }

  package final func setFaceObject(_ value: Any?, _ property: ManagedProperty) {
    setModelledValue(value, place(property), tracked: true)
  }

  package final func faceDestination(_ property: ManagedProperty) -> NSManagedObject? {
    noteFaceRead(property)
    guard let slot = property.slot(in: layout) else { return nil }
    return registeredDestination(slot, unless: .fault) ?? destination(slot)
  }

  package final func setFaceDestination(
    _ destination: NSManagedObject?, _ property: ManagedProperty
  ) {
    if let slot = property.slot(in: layout) { setDestination(destination, slot) }
  }

  /// The members of a to-many relationship: the stored ones in the order of their keys, then the new ones in the
  /// order of their making.
  package final func faceMembers(_ property: ManagedProperty) -> [NSManagedObject] {
    noteFaceRead(property)
    guard let index = property.toMany(in: layout) else { return [] }
    let members = memberObjects(index)
    // A save leaves them in no order.
    let isInOrder = zip(members, members.dropFirst()).allSatisfy {
      $0.packedIdentity.bits < $1.packedIdentity.bits
    }
    return isInOrder
      ? members : members.sorted { $0.packedIdentity.bits < $1.packedIdentity.bits }
  }

  package final func setFaceMembers(_ members: [NSManagedObject], _ property: ManagedProperty) {
    setModelledValue(members, place(property), tracked: true)
  }

  @inline(__always)
  private final func noteFaceRead(_ property: ManagedProperty) {
    if flags.contains(.observable), isReadTracked { noteTrackedRead(property.name) }
  }

  /// Whether the store has lost the object, or its context has let it go.
  package final var isGone: Bool { registry?.context == nil || flags.contains(.goneFromStore) }

  /// Whether it is in its context, and not deleted there.
  package final var isPresent: Bool { lifecycle.isPresent }

  /// What the address of its ID has, without making an ID.
  package final var addressParts: (store: String?, reference: String) {
    NSManagedObjectID.addressParts(packedIdentity, space)
  }

  /// The second of them alone.
  package final var addressReference: String {
    guard let spaceReference else { return addressParts.reference }
    return spaceReference._withUnsafeGuaranteedRef { $0.reference(packedIdentity.key) }
  }

  /// What the addresses of objects have in common that differ in nothing but the reference.
  package struct AddressGroup: Equatable {
    fileprivate let space: UnsafeMutableRawPointer?
    fileprivate let layout: UnsafeMutableRawPointer
  }

  package final var addressGroup: AddressGroup {
    AddressGroup(
      space: spaceReference?.toOpaque(), layout: Unmanaged.passUnretained(layout).toOpaque())
  }

  /// Takes its place among new objects: they are in the order in which this is called.
  package final func settleIdentity() { _ = packedIdentity }
}

// What a save is about to write, in the order in which it came in. A set of a hundred thousand objects takes time to
// make, and objects that are freed in a set's order are each far from the one before.
extension NSManagedObjectContext {
  package final var insertedInOrder: [NSManagedObject] { inserted.objects }
  package final var updatedInOrder: [NSManagedObject] { updated.objects }
  package final var deletedInOrder: [NSManagedObject] { deleted.objects }
  /// How many there are in all three.
  package final var editedCount: Int { inserted.count + updated.count + deleted.count }
}
