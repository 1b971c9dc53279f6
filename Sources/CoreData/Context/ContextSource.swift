/// Where a context reads and saves: a coordinator's stores, or its parent context.
protocol ContextSource {
  func rows(_ plan: FetchPlan, _ stores: [NSPersistentStore]?) throws -> [Row]
  func identities(_ plan: FetchPlan, _ stores: [NSPersistentStore]?) throws
    -> ContiguousArray<PackedIdentity>
  func count(_ plan: FetchPlan, _ stores: [NSPersistentStore]?) throws -> Int
  func row(of identity: NSManagedObjectID) throws -> Row?
  func rows(of identities: [NSManagedObjectID]) throws -> [Row]
  func members(of relationship: NSRelationshipDescription, owner: NSManagedObjectID) throws
    -> [NSManagedObjectID]
  func members(of relationship: NSRelationshipDescription, owners: [NSManagedObjectID]) throws
    -> [[NSManagedObjectID]]
}

extension NSManagedObjectContext {
  /// nil for a context that has neither coordinator nor parent: it has just its own objects.
  final var source: (any ContextSource)? {
    if let parent { return ParentSource(parent: parent) }
    return rootCoordinator.map(CoordinatorSource.init)
  }
}

struct CoordinatorSource: ContextSource {
  let coordinator: NSPersistentStoreCoordinator

  func rows(_ plan: FetchPlan, _ stores: [NSPersistentStore]?) throws -> [Row] {
    try coordinator.rows(plan, in: stores)
  }

  func identities(_ plan: FetchPlan, _ stores: [NSPersistentStore]?) throws
    -> ContiguousArray<PackedIdentity>
  {
    try coordinator.identities(plan, in: stores)
  }

  func count(_ plan: FetchPlan, _ stores: [NSPersistentStore]?) throws -> Int {
    try coordinator.count(plan, in: stores)
  }

  func row(of identity: NSManagedObjectID) throws -> Row? { try coordinator.row(of: identity) }

  func rows(of identities: [NSManagedObjectID]) throws -> [Row] {
    try coordinator.rows(of: identities)
  }

  func members(of relationship: NSRelationshipDescription, owner: NSManagedObjectID) throws
    -> [NSManagedObjectID]
  {
    try coordinator.members(of: relationship, owner: owner)
  }

  func members(of relationship: NSRelationshipDescription, owners: [NSManagedObjectID]) throws
    -> [[NSManagedObjectID]]
  {
    try coordinator.members(of: relationship, owners: owners)
  }
}
