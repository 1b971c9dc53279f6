import Synchronization

/// What the 64 bits of a coordinator's identities stand for, for whoever keeps them longer than a fetch takes: the
/// store may be removed meanwhile, and the context may get another coordinator, in which the same bits are
/// another object.
struct IdentityNamespace: Sendable {
  private let coordinator: Int?
  /// By ``IdentitySpace/storeOrdinal``.
  private let spaces: [Int: IdentitySpace]
  /// By number, from 1.
  private let layouts: [EntityLayout]

  /// That of the coordinator that the context has now.
  init(of context: NSManagedObjectContext) {
    let coordinator = context.rootCoordinator
    self.coordinator = coordinator?.number
    spaces = coordinator?.identitySpaces ?? [:]
    layouts = coordinator?.layouts ?? []
  }

  /// Whether the context still has the coordinator that the bits are of.
  func isCurrent(in context: NSManagedObjectContext) -> Bool {
    context.rootCoordinator?.number == coordinator
  }

  /// Whether the object's store was there when the bits were fetched.
  func has(_ packed: PackedIdentity) -> Bool {
    packed.isTemporary || spaces[packed.storeOrdinal] != nil
  }

  /// The ID of an object, be its store here or not.
  func identity(_ packed: PackedIdentity) -> NSManagedObjectID {
    if let space = spaces[packed.storeOrdinal] { return space.identity(packed) }
    return .temporary(packed, layouts[packed.entityNumber - 1])
  }

  /// The IDs of objects of one store.
  func identities(_ packed: ArraySlice<PackedIdentity>) -> [NSManagedObjectID] {
    guard let first = packed.first, let space = spaces[first.storeOrdinal] else {
      return packed.map(identity)
    }
    return space.identities(packed)
  }

  /// The object as its context has it; one that is gone where it has it no more: then its values are nil, and
  /// it has no context.
  func object(_ packed: PackedIdentity, in context: NSManagedObjectContext) -> NSManagedObject {
    if isCurrent(in: context) { return context.object(for: packed) ?? .gone(identity(packed)) }
    let identity = identity(packed)
    // The store itself may be there again.
    let isHere = context.rootCoordinator?.ownIdentity(identity) != nil
    return isHere ? context.knownOrFault(identity) : .gone(identity)
  }
}
