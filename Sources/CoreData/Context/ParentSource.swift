/// Reads from a parent context, on the parent's queue: what it has in memory included.
///
/// A row that comes from a parent is a sealed copy of the parent's values, without the transient
/// ones; it is nobody's cached row.
struct ParentSource: ContextSource {
  let parent: NSManagedObjectContext

  func readsByIdentity(_ plan: FetchPlan, _ stores: [NSPersistentStore]?) throws -> Bool { false }

  func rows(_ plan: FetchPlan, _ stores: [NSPersistentStore]?) throws -> [Row] {
    try parent.performAndWait { try parent.objects(plan, stores).map(copy) }
  }

  func identities(_ plan: FetchPlan, _ stores: [NSPersistentStore]?) throws
    -> ContiguousArray<PackedIdentity>
  {
    try parent.performAndWait { try parent.fetchIdentities(plan, stores) }
  }

  func count(_ plan: FetchPlan, _ stores: [NSPersistentStore]?) throws -> Int {
    try parent.performAndWait { try parent.count(plan, stores) }
  }

  func row(of identity: NSManagedObjectID) throws -> Row? {
    try parent.performAndWait {
      if let known = parent.registry.object(identity.packed), known.lifecycle.isDeleted {
        return nil
      }
      do {
        return copy(try parent.existingObject(with: identity))
      } catch let error as CocoaError where error.code == .managedObjectReferentialIntegrity {
        return nil
      }
    }
  }

  func rows(of identities: [NSManagedObjectID]) throws -> [Row] {
    try parent.performAndWait {
      let objects = identities.map { parent.object(with: $0) }
      try parent.fillFaults(objects)
      return objects.filter { !$0.lifecycle.isDeleted }.map(copy)
    }
  }

  func members(of relationship: NSRelationshipDescription, owner: NSManagedObjectID) throws
    -> [NSManagedObjectID]
  {
    parent.performAndWait {
      let object = parent.object(with: owner)
      return object.objectIDs(forRelationshipNamed: relationship.name)
    }
  }

  func members(of relationship: NSRelationshipDescription, owners: [NSManagedObjectID]) throws
    -> [[NSManagedObjectID]]
  {
    try owners.map { try members(of: relationship, owner: $0) }
  }

  private func copy(_ object: NSManagedObject) -> Row {
    let row = object.readableRow
    // A row from before the parent's save may have the temporary ID still.
    if row.isSealed, row.packed == object.packedIdentity, object.layout.transientSlots.isEmpty {
      return row
    }
    let copy = row.copy()
    for slot in object.layout.transientSlots { copy[slot] = .null }
    copy.seal(object.packedIdentity, in: object.space, version: row.version)
    return copy
  }
}
