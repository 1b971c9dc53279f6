/// What the coordinator asks of a store that keeps rows: reading by plan and by identity, keys, and
/// one transaction a save. The SQLite store and the atomic stores answer it.
///
/// Every method may be called from any thread; a store guards itself.
package protocol RowStore: NSPersistentStore {
  /// The IDs of this store's objects.
  var identities: IdentitySpace { get }

  /// Whether a fetch of objects is to ask for identities alone, the rows being read when they are needed.
  var readsByIdentity: Bool { get }

  /// The rows that the plan describes, in its order, sealed and published.
  func rows(_ plan: FetchPlan) throws -> [Row]

  /// The identities alone, in the plan's order.
  func identities(_ plan: FetchPlan) throws -> ContiguousArray<PackedIdentity>

  /// How many rows the plan describes, its limit and offset included.
  func count(_ plan: FetchPlan) throws -> Int

  /// The results of a fetch of dictionaries: a value per column, boxed as key-value coding does.
  func table(_ plan: TablePlan) throws -> [[Any?]]

  /// The newest row of one object, sealed and published; nil when the object is gone.
  func row(of identity: NSManagedObjectID) throws -> Row?

  /// The same by the key of an object of one entity.
  func row(_ key: Int64, of layout: EntityLayout) throws -> Row?

  /// The newest rows of these objects, in any order, without those that are gone.
  func rows(of identities: [NSManagedObjectID]) throws -> [Row]

  /// The same for objects of one entity, by their keys.
  func rows(_ keys: [Int64], of layout: EntityLayout) throws -> [Row]

  /// The members of a to-many relationship of one object, in their order if it is ordered.
  func members(
    of relationship: NSRelationshipDescription, owner: NSManagedObjectID
  ) throws -> [NSManagedObjectID]

  /// The members of a to-many relationship of several objects, in the order of `owners`.
  func members(
    of relationship: NSRelationshipDescription, owners: [PackedIdentity]
  ) throws -> [[NSManagedObjectID]]

  /// The permanent identities of new objects, in their order. Called on the queue of their context.
  func permanentIdentities(for objects: [NSManagedObject]) throws -> [PackedIdentity]

  /// Sets `count` primary keys aside for new objects of this entity's tree; returns the first.
  func reserveKeys(_ count: Int, for layout: EntityLayout) throws -> Int64

  /// Runs `body`, in which keys are set aside for the new objects among `count` changes, which are saved then: a
  /// store may do both in one transaction.
  func saving<Result>(_ count: Int, _ body: () throws -> Result) throws -> Result

  /// Writes everything in one transaction, or nothing.
  ///
  /// Throws ``SaveConflicts`` when rows have changed in the store since they were read, and
  /// ``ConstraintViolation`` when values that must be unique are there twice.
  func save(_ changes: StoreChanges) throws
}

extension RowStore {
  package var readsByIdentity: Bool { false }

  package func saving<Result>(_ count: Int, _ body: () throws -> Result) throws -> Result {
    try body()
  }

  package func row(_ key: Int64, of layout: EntityLayout) throws -> Row? {
    try row(of: identities.identity(layout, key: key))
  }

  package func rows(_ keys: [Int64], of layout: EntityLayout) throws -> [Row] {
    try rows(of: keys.map { identities.identity(layout, key: $0) })
  }

  /// Consecutive keys for the objects of each entity.
  package func permanentIdentities(
    for objects: [NSManagedObject]
  ) throws -> [PackedIdentity] {
    var result: [PackedIdentity] = []
    result.reserveCapacity(objects.count)
    var rest = objects[...]
    let space = identities
    while let layout = rest.first?.layout {
      let run = rest.prefix { $0.layout === layout }
      let first = try reserveKeys(run.count, for: layout)
      for offset in 0..<Int64(run.count) {
        result.append(space.packed(layout, key: first + offset))
      }
      rest = rest[run.endIndex...]
    }
    return result
  }

  package func members(
    of relationship: NSRelationshipDescription, owners: [PackedIdentity]
  ) throws -> [[NSManagedObjectID]] {
    try owners.map { try members(of: relationship, owner: identities.identity($0)) }
  }
}

/// A fetch as a store sees it: resolved to one entity, without pending changes.
package struct FetchPlan {
  package var layout: EntityLayout
  package var includesSubentities = true
  package var predicate: NSPredicate?
  package var sortDescriptors: [NSSortDescriptor] = []
  /// 0 means no limit.
  package var limit = 0
  package var offset = 0
  /// The request that asks for this, if one does, for stores that answer requests.
  package var request: (any AnyFetchRequest)?

  package init(layout: EntityLayout) { self.layout = layout }

  /// All objects that the fetch is about, whatever its predicate.
  var ofEverything: FetchPlan {
    var plan = FetchPlan(layout: layout)
    plan.includesSubentities = includesSubentities
    return plan
  }
}

/// The changes of one save, with permanent identities throughout.
package struct StoreChanges {
  /// New objects: rows with their permanent identity, not sealed yet.
  package var inserted: [Row] = []
  /// The versions of those that were deleted and come back: beyond the ones that they have had, which others may hold
  /// still. The others begin with 1.
  package var returningVersions: [PackedIdentity: Int64] = [:]
  package var updated: [Update] = []
  package var deleted: [Deletion] = []
  /// Members that joined or left many-to-many and ordered relationships; a one-to-many
  /// relationship is stored in the slot of its to-one side.
  package var members: [MemberChange] = []
  /// Rows that were read and that the save relies on: another version in the store is a conflict, as for
  /// what is updated.
  package var watched: [Row] = []
  /// The context that saves, on whose queue this happens, for stores that look at its objects.
  package var context: NSManagedObjectContext?

  package init() {}

  package var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && members.isEmpty
  }

  /// The version that an inserted row is written with.
  @inline(__always)
  package func version(ofInserted row: Row) -> Int64 {
    returningVersions.isEmpty ? 1 : returningVersions[row.packed] ?? 1
  }

  /// How many objects change.
  var count: Int { inserted.count + updated.count + deleted.count }

  package struct Update {
    /// The values to write, with the version of the snapshot: the store writes version + 1.
    package let row: Row
    /// What was read: an object whose row in the store has another version is a conflict.
    package let snapshot: Row
    /// What has changed, mostly without anything that is to be counted.
    private let slotBits: UInt64
    private let more: More?

    private final class More {
      /// Those that have no bit.
      let slots: [Int]
      let relationships: [Int]

      init(slots: [Int], relationships: [Int]) {
        self.slots = slots
        self.relationships = relationships
      }
    }

    package init(row: Row, snapshot: Row, slots: [Int], relationships: [Int] = []) {
      self.init(
        row: row, snapshot: snapshot,
        slotBits: slots.reduce(0) { $1 < 64 ? $0 | 1 << UInt64($1) : $0 },
        relationships: relationships, slotsBeyond: slots.filter { $0 >= 64 })
    }

    /// With a bit for each of the first 64 slots.
    init(
      row: Row, snapshot: Row, slotBits: UInt64, relationships: [Int], slotsBeyond: [Int] = []
    ) {
      self.row = row
      self.snapshot = snapshot
      self.slotBits = slotBits
      more =
        relationships.isEmpty && slotsBeyond.isEmpty
        ? nil : More(slots: slotsBeyond, relationships: relationships)
    }

    /// The slots that differ, in their order; may be empty, then just the version counts up.
    package var slots: [Int] {
      var slots: [Int] = []
      var rest = slotBits
      while rest != 0 {
        slots.append(rest.trailingZeroBitCount)
        rest &= rest - 1
      }
      return more.map { slots + $0.slots } ?? slots
    }

    /// The to-many relationships that differ, by their place in the layout: for the history alone.
    package var relationships: [Int] { more?.relationships ?? [] }

    /// Whether the other update is of the same entity and slots.
    @inline(__always)
    package func hasSameSlots(as other: Update) -> Bool {
      row.format == other.row.format && slotBits == other.slotBits
        && (more == nil && other.more == nil || more?.slots ?? [] == other.more?.slots ?? [])
    }
  }

  package struct Deletion {
    // Not counted: the store, which lives as long as its save takes, keeps both.
    package unowned(unsafe) let layout: EntityLayout
    package let packed: PackedIdentity
    package unowned(unsafe) let space: IdentitySpace?
    /// nil when the object was deleted as a fault.
    package let snapshot: Row?
    /// What the store has to have; nil where no version is compared.
    package let version: Int64?

    package init(
      _ layout: EntityLayout, _ packed: PackedIdentity, in space: IdentitySpace?, snapshot: Row?
    ) {
      self.layout = layout
      self.packed = packed
      self.space = space
      self.snapshot = snapshot
      version = snapshot?.version
    }

    package init(identity: NSManagedObjectID, snapshot: Row?) {
      self.init(identity.layout, identity.packed, in: identity.space, snapshot: snapshot)
    }

    package var identity: NSManagedObjectID { .of(packed, layout, in: space) }
  }

  package struct MemberChange {
    package let relationship: NSRelationshipDescription
    package let owner: NSManagedObjectID
    package let added: [NSManagedObjectID]
    package let removed: [NSManagedObjectID]
    /// All members in their new order, for an ordered relationship.
    package let order: [NSManagedObjectID]?

    package init(
      relationship: NSRelationshipDescription, owner: NSManagedObjectID,
      added: [NSManagedObjectID], removed: [NSManagedObjectID], order: [NSManagedObjectID]?
    ) {
      self.relationship = relationship
      self.owner = owner
      self.added = added
      self.removed = removed
      self.order = order
    }
  }
}

/// The rows that kept a save from being written: each with what the store has now.
///
/// Sendable: holds sealed rows and immutable identities.
package struct SaveConflicts: Error, @unchecked Sendable {
  package struct Conflict {
    package let identity: NSManagedObjectID
    /// nil when the object has been deleted in the store.
    package let stored: Row?
    /// Whether the contexts of this coordinator share a newer row than the one that was read: then the
    /// conflict is with one of them, else with somebody else who writes the store.
    package let isOfSharedRow: Bool

    package init(identity: NSManagedObjectID, stored: Row?, isOfSharedRow: Bool) {
      self.identity = identity
      self.stored = stored
      self.isOfSharedRow = isOfSharedRow
    }
  }

  package let conflicts: [Conflict]

  package init(conflicts: [Conflict]) { self.conflicts = conflicts }
}
