import Synchronization

/// Maps packed identities of a coordinator to IDs, for owners that keep the identities longer than
/// a fetch. Meanwhile the store may be removed, or the context may get another coordinator, in
/// which the same bits identify another object.
struct IdentityNamespace: Sendable {
  private let coordinator: Int?
  /// By ``IdentitySpace/storeOrdinal``.
  private let spaces: [Int: IdentitySpace]
  /// By entity number, from 1.
  private let layouts: [EntityLayout]

  /// The namespace of the context's current coordinator.
  init(of context: NSManagedObjectContext) {
    let coordinator = context.rootCoordinator
    self.coordinator = coordinator?.number
    spaces = coordinator?.identitySpaces ?? [:]
    layouts = coordinator?.layouts ?? []
  }

  /// Whether the context still has the coordinator that the namespace was made of.
  func isCurrent(in context: NSManagedObjectContext) -> Bool {
    context.rootCoordinator?.number == coordinator
  }

  /// Whether the object's store existed when the namespace was made.
  func has(_ packed: PackedIdentity) -> Bool {
    packed.isTemporary || spaces[packed.storeOrdinal] != nil
  }

  /// The ID of an object, even if its store has been removed.
  func identity(_ packed: PackedIdentity) -> NSManagedObjectID {
    if let space = spaces[packed.storeOrdinal] { return space.identity(packed) }
    return .temporary(packed, layout: layouts[packed.entityNumber - 1])
  }

  /// The IDs of objects of one store.
  func identities(_ packed: ArraySlice<PackedIdentity>) -> [NSManagedObjectID] {
    guard let first = packed.first, let space = spaces[first.storeOrdinal] else {
      return packed.map(identity)
    }
    return space.identities(packed)
  }

  /// The object in its context; if the context no longer has it, an object without context whose
  /// values are nil.
  func object(_ packed: PackedIdentity, in context: NSManagedObjectContext) -> NSManagedObject {
    if isCurrent(in: context) { return context.object(for: packed) ?? .gone(identity(packed)) }
    let identity = identity(packed)
    // The store may have been added again.
    let isHere = context.rootCoordinator?.ownIdentity(identity) != nil
    return isHere ? context.knownOrFault(identity) : .gone(identity)
  }
}
