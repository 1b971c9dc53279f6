/// Objects of one context by number, the bits of their identity. Retains unsaved objects, whose
/// identity changes with the save; makes saved ones again on demand.
struct TrackedObjects {
  private let context: NSManagedObjectContext
  private var held: [UInt64: NSManagedObject] = [:]
  private var numbers: [ObjectIdentifier: UInt64] = [:]

  init(_ context: NSManagedObjectContext) { self.context = context }

  func number(of object: NSManagedObject) -> UInt64 {
    numbers[ObjectIdentifier(object)] ?? object.packedIdentity.bits
  }

  mutating func track(_ object: NSManagedObject) -> UInt64 {
    let number = number(of: object)
    if object.packedIdentity.isTemporary { hold(object, number: number) }
    return number
  }

  private mutating func hold(_ object: NSManagedObject, number: UInt64) {
    held[number] = object
    numbers[ObjectIdentifier(object)] = number
  }

  /// Retains deleted objects. Called before a save: their identities cannot be resolved afterwards.
  mutating func holdDeleted() {
    for object in context.deleted { hold(object, number: number(of: object)) }
  }

  subscript(number: UInt64) -> NSManagedObject? {
    held[number] ?? context.object(for: PackedIdentity(bits: number))
  }

  /// Releases saved objects; returns their new numbers by the old ones.
  mutating func letGoOfSaved() -> [UInt64: UInt64] {
    var renumbered: [UInt64: UInt64] = [:]
    for (number, object) in held
    where object.lifecycle == .live && !object.packedIdentity.isTemporary {
      renumbered[number] = object.packedIdentity.bits
      held[number] = nil
      numbers[ObjectIdentifier(object)] = nil
    }
    return renumbered
  }

  /// Reads the values of those objects that are faults, in one fetch.
  func fill(_ objects: [NSManagedObject]) throws { try context.fillFaults(objects) }
}
