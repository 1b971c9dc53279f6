/// Objects of one context by a number each: the bits of their identity. What was never saved is held, since its
/// identity changes with the save; what was saved is made again when it is asked for.
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
    if object.packedIdentity.isTemporary { hold(object, number) }
    return number
  }

  private mutating func hold(_ object: NSManagedObject, _ number: UInt64) {
    held[number] = object
    numbers[ObjectIdentifier(object)] = number
  }

  /// Called before a save: nothing could be made of their identities afterwards.
  mutating func holdDeleted() {
    for object in context.deleted { hold(object, number(of: object)) }
  }

  subscript(number: UInt64) -> NSManagedObject? {
    held[number] ?? context.object(for: PackedIdentity(bits: number))
  }

  /// Lets go of what was saved; returns its new numbers by the old ones.
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

  /// Reads what is not in memory of these objects at once.
  func fill(_ objects: [NSManagedObject]) throws { try context.fillFaults(objects) }
}
