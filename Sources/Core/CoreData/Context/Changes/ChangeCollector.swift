/// Converts a context's changed objects into the changes for each store to write.
package struct ChangeCollector {
  let coordinator: NSPersistentStoreCoordinator
  private var changes: [(space: IdentitySpace, store: any RowStore, changes: StoreChanges)] = []

  // The identity space and the index that were found last.
  private var lastAddress: UnsafeMutableRawPointer?
  private var lastIndex = 0

  init(coordinator: NSPersistentStoreCoordinator) { self.coordinator = coordinator }

  var changesByStore: [(store: any RowStore, changes: StoreChanges)] {
    changes.map { ($0.store, $0.changes) }
  }

  mutating func insert(_ object: NSManagedObject) throws {
    let row = object.editableRow
    row.becomePermanent(object.packed, inUncounted: object.spaceReference)
    row.resolveIdentities()
    changes[try index(of: object)].changes.inserted.append(row)
    try addMembers(of: object)
  }

  mutating func update(_ object: NSManagedObject) throws {
    let relationships = object.changedRelationships()
    let bits = object.changedSlotBits
    // Used for an entity with more slots than bits.
    let slots = bits == nil ? object.changedSlots() : []
    let hasChangedSlots = bits ?? 0 != 0 || !slots.isEmpty
    guard hasChangedSlots || !relationships.isEmpty else { return }
    let row = hasChangedSlots ? object.editableRow : object.readableRow
    guard let snapshot = object.snapshot else { throw CoreDataError.missingObject(object.objectID) }
    if hasChangedSlots { row.resolveIdentities() }
    changes[try index(of: object)].changes.updated.append(
      bits.map { .init(row: row, snapshot: snapshot, slotBits: $0, relationships: relationships) }
        ?? .init(row: row, snapshot: snapshot, slots: slots, relationships: relationships))
    try addMembers(of: object)
  }

  mutating func delete(_ object: NSManagedObject) throws {
    guard !object.flags.contains(.goneFromStore) else { return }
    changes[try index(of: object)].changes.deleted.append(
      .init(
        object.layout, packed: object.packedIdentity, in: object.space, snapshot: object.snapshot))
    try addMembers(of: object, isDeleted: true)
  }

  /// Adds an unchanged object, whose row version the save must find unchanged.
  mutating func watch(_ object: NSManagedObject) throws {
    guard let snapshot = object.snapshot else { return }
    try add(object) { $0.watched.append(snapshot) }
  }

  private mutating func add(
    _ object: NSManagedObject, change: (inout StoreChanges) -> Void
  ) throws {
    change(&changes[try index(of: object)].changes)
  }

  /// The position of the store's changes. There are few stores: a linear search costs less than
  /// hashing.
  private mutating func index(of object: NSManagedObject) throws -> Int {
    // Most often there is one store.
    if let address = object.spaceReference?.toOpaque(), address == lastAddress { return lastIndex }
    let index = try findIndex(of: object)
    (lastAddress, lastIndex) = (object.spaceReference?.toOpaque(), index)
    return index
  }

  private mutating func findIndex(of object: NSManagedObject) throws -> Int {
    let space = object.space
    if let known = changes.firstIndex(where: { $0.space === space }) { return known }
    guard let space, let store = space.store?.rowStore else {
      throw CoreDataError.make(
        .persistentStoreOperation,
        reason: "The store of \(object.objectID) is no longer part of its coordinator.")
    }
    changes.append((space, store, StoreChanges()))
    return changes.count - 1
  }

  /// Adds changed memberships that are not stored in a to-one slot. Only one side of a relationship
  /// adds them.
  ///
  /// Members that a deleted object has gained since the last save are left out: their rows would
  /// outlive it.
  private mutating func addMembers(of object: NSManagedObject, isDeleted: Bool = false) throws {
    if object.relations == nil { return }
    for index in object.changedRelationships() {
      let relationship = object.layout.toMany[index]
      guard relationship.speaks, let store = object.storedMembers(index) else { continue }
      let change = StoreChanges.MemberChange(
        relationship: relationship, owner: object.objectID,
        added: isDeleted
          ? [] : store.delta.added.map(\.objectID.resolved).sorted(by: Self.inOrder),
        removed: store.delta.removed.map(\.objectID.resolved).sorted(by: Self.inOrder),
        order: isDeleted ? nil : store.order?.map(\.objectID.resolved))
      try add(object) { $0.members.append(change) }
    }
  }

  private static func inOrder(_ left: NSManagedObjectID, _ right: NSManagedObjectID) -> Bool {
    left.packed.bits < right.packed.bits
  }
}
