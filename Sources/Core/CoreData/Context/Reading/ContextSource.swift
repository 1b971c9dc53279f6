/// The source that a context reads from: a coordinator's stores, or its parent context.
protocol ContextSource {
  /// True if a fetch of objects is to read identities only.
  func readsByIdentity(_ plan: FetchPlan, stores: [NSPersistentStore]?) throws -> Bool
  func rows(_ plan: FetchPlan, stores: [NSPersistentStore]?) throws -> [Row]
  func identities(_ plan: FetchPlan, stores: [NSPersistentStore]?) throws
    -> ContiguousArray<PackedIdentity>
  func count(_ plan: FetchPlan, stores: [NSPersistentStore]?) throws -> Int
  func row(of identity: NSManagedObjectID) throws -> Row?
  func rows(of identities: [NSManagedObjectID]) throws -> [Row]
  /// The rows of stored objects; nil if they must be read by object IDs instead.
  func rows(of identities: [PackedIdentity]) throws -> [Row]?
  func members(of relationship: NSRelationshipDescription, owner: NSManagedObjectID) throws
    -> [NSManagedObjectID]
  func members(of relationship: NSRelationshipDescription, owners: [PackedIdentity]) throws
    -> [[NSManagedObjectID]]
}

extension ContextSource {
  func rows(of identities: [PackedIdentity]) throws -> [Row]? { nil }
}

extension NSManagedObjectContext {
  /// The source of the context; nil for a context without coordinator and parent, which has its own
  /// objects only.
  final var source: (any ContextSource)? {
    if let parent { return ParentSource(parent: parent, child: self) }
    return rootCoordinator.map { coordinator in
      CoordinatorSource(
        coordinator: coordinator, generation: generation,
        reader: coordinator.servesContexts.load(ordering: .acquiring) ? self : nil)
    }
  }

  /// The coordinator of a root context that reads the newest state, of stores that need not know
  /// the reading context; else nil.
  final var plainCoordinator: NSPersistentStoreCoordinator? {
    guard parent == nil, generation == nil, let coordinator = rootCoordinator,
      !coordinator.servesContexts.load(ordering: .acquiring)
    else { return nil }
    return coordinator
  }
}

struct CoordinatorSource: ContextSource {
  let coordinator: NSPersistentStoreCoordinator
  /// The generation to read; nil to read the newest state.
  let generation: QueryGeneration?
  /// The reading context, if a store needs to know it.
  let reader: NSManagedObjectContext?

  private func read<Result>(_ body: () throws -> Result) rethrows -> Result {
    if let reader { return try ReadingContext.with(reader, body: body) }
    return if let generation { try generation.read(body) } else { try body() }
  }

  func readsByIdentity(_ plan: FetchPlan, stores: [NSPersistentStore]?) throws -> Bool {
    try coordinator.readsByIdentity(plan, among: stores)
  }

  func rows(_ plan: FetchPlan, stores: [NSPersistentStore]?) throws -> [Row] {
    try read { try coordinator.rows(plan, in: stores) }
  }

  func identities(_ plan: FetchPlan, stores: [NSPersistentStore]?) throws
    -> ContiguousArray<PackedIdentity>
  {
    try read { try coordinator.identities(plan, in: stores) }
  }

  func count(_ plan: FetchPlan, stores: [NSPersistentStore]?) throws -> Int {
    try read { try coordinator.count(plan, in: stores) }
  }

  func row(of identity: NSManagedObjectID) throws -> Row? {
    try read { try coordinator.row(of: identity) }
  }

  func rows(of identities: [NSManagedObjectID]) throws -> [Row] {
    try read { try coordinator.rows(of: identities) }
  }

  func rows(of identities: [PackedIdentity]) throws -> [Row]? {
    // A store that needs to know the reading context is asked by requests.
    if reader != nil { return nil }
    return try read { try coordinator.rows(of: identities) }
  }

  func members(of relationship: NSRelationshipDescription, owner: NSManagedObjectID) throws
    -> [NSManagedObjectID]
  {
    try read { try coordinator.members(of: relationship, owner: owner) }
  }

  func members(of relationship: NSRelationshipDescription, owners: [PackedIdentity]) throws
    -> [[NSManagedObjectID]]
  {
    try read { try coordinator.members(of: relationship, owners: owners) }
  }
}
