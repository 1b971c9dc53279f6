/// The source of a child context: reads from the parent, on the parent's queue, with the parent's
/// unsaved changes.
///
/// A row from a parent is a sealed copy of the parent's values without the transient ones; it is
/// never a cached row.
///
/// A save of the parent may happen between a question and its answer, which then names an object by
/// its permanent ID that the child knows by a temporary one. So the child takes over new IDs before
/// it asks, which resolves the IDs that it asks about, and again before it uses the answer.
struct ParentSource: ContextSource {
  let parent: NSManagedObjectContext
  let child: NSManagedObjectContext

  private func ask<Answer>(_ question: () throws -> Answer) rethrows -> Answer {
    let answer = try parent.confinement.performAndWait {
      child.takeOverPermanentIDs()
      return try question()
    }
    child.takeOverPermanentIDs()
    return answer
  }

  func readsByIdentity(_ plan: FetchPlan, stores: [NSPersistentStore]?) throws -> Bool { false }

  func rows(_ plan: FetchPlan, stores: [NSPersistentStore]?) throws -> [Row] {
    try ask { try parent.objects(plan, stores: stores).map(\.rowForChildren) }
  }

  func identities(_ plan: FetchPlan, stores: [NSPersistentStore]?) throws
    -> ContiguousArray<PackedIdentity>
  {
    try ask { try parent.fetchIdentities(plan, stores: stores) }
  }

  func count(_ plan: FetchPlan, stores: [NSPersistentStore]?) throws -> Int {
    try ask { try parent.count(plan, stores: stores) }
  }

  func row(of identity: NSManagedObjectID) throws -> Row? {
    try ask {
      if let known = parent.known(identity), known.lifecycle.isDeleted { return nil }
      do {
        return try parent.readObject(identity).rowForChildren
      } catch let error as CocoaError where error.code == .managedObjectReferentialIntegrity {
        return nil
      }
    }
  }

  func rows(of identities: [NSManagedObjectID]) throws -> [Row] {
    try ask {
      let objects = identities.compactMap(parent.found)
      try parent.fillFaults(objects)
      return objects.filter { $0.lifecycle.isPresent && !($0.isFault && $0.current == nil) }
        .map(\.rowForChildren)
    }
  }

  func members(of relationship: NSRelationshipDescription, owner: NSManagedObjectID) throws
    -> [NSManagedObjectID]
  {
    ask { members(of: relationship, parent.knownOrFault(owner)) }
  }

  func members(of relationship: NSRelationshipDescription, owners: [PackedIdentity]) throws
    -> [[NSManagedObjectID]]
  {
    ask {
      owners.map { owner in
        parent.object(for: owner).map { members(of: relationship, $0) } ?? []
      }
    }
  }

  private func members(
    of relationship: NSRelationshipDescription, _ owner: NSManagedObject
  ) -> [NSManagedObjectID] {
    let members = owner.objectIDs(forRelationshipNamed: relationship.name)
    if let back = relationship.inverseRelationship, back.deleteRule != .noActionDeleteRule {
      return members
    }
    // Before the save nothing else takes a deleted object out of such a relationship.
    return members.filter { parent.known($0)?.lifecycle.isDeleted != true }
  }
}
