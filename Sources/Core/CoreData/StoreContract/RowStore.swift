/// A store that keeps rows, as the coordinator uses it: reading by plan and by identity, primary
/// keys, and one transaction per save. Every built-in store conforms to it, and both superclasses
/// of custom stores.
///
/// Each method may be called from any thread; a store guards itself.
package protocol RowStore: NSPersistentStore {
  /// The identity space of this store's objects.
  var identities: IdentitySpace { get }

  /// Whether a fetch of objects should read identities alone, and rows only when they are needed.
  var readsByIdentity: Bool { get }

  /// The rows that the plan describes, in its order, sealed and published.
  func rows(_ plan: FetchPlan) throws -> [Row]

  /// The identities of the rows that the plan describes, in its order.
  func identities(_ plan: FetchPlan) throws -> ContiguousArray<PackedIdentity>

  /// The number of rows that the plan describes, within its limit and offset.
  func count(_ plan: FetchPlan) throws -> Int

  /// The results of a fetch of dictionaries: one value per column, boxed as key-value coding does.
  func table(_ plan: TablePlan) throws -> [[Any?]]

  /// The newest row of one object, sealed and published; nil if the object is gone.
  func row(of identity: NSManagedObjectID) throws -> Row?

  /// The newest row of one object, by its entity and key; nil if the object is gone.
  func row(_ key: Int64, of layout: EntityLayout) throws -> Row?

  /// The newest rows of these objects, in any order; objects that are gone have none.
  func rows(of identities: [NSManagedObjectID]) throws -> [Row]

  /// The newest rows of objects of one entity, by their keys; in any order, none for those that are
  /// gone.
  func rows(_ keys: [Int64], of layout: EntityLayout) throws -> [Row]

  /// The members of a to-many relationship of one object, in their order if the relationship is
  /// ordered.
  func members(
    of relationship: NSRelationshipDescription, owner: NSManagedObjectID
  ) throws -> [NSManagedObjectID]

  /// The members of a to-many relationship of several objects, in the order of `owners`.
  func members(
    of relationship: NSRelationshipDescription, owners: [PackedIdentity]
  ) throws -> [[NSManagedObjectID]]

  /// Reserves `count` consecutive primary keys for new objects of this entity's tree; returns the
  /// first.
  func reserveKeys(_ count: Int, for layout: EntityLayout) throws -> Int64

  /// Runs `body`, which reserves keys for the new objects among `count` changes and then saves
  /// them. A store may do both in one transaction.
  func saving<Result>(_ count: Int, body: () throws -> Result) throws -> Result

  /// Writes all changes in one transaction, or none.
  ///
  /// Throws ``SaveConflicts`` if rows have changed in the store since they were read, and
  /// ``ConstraintViolation`` if a value that must be unique occurs twice.
  func save(_ changes: StoreChanges) throws
}

extension RowStore {
  package var readsByIdentity: Bool { false }

  package func saving<Result>(_ count: Int, body: () throws -> Result) throws -> Result {
    try body()
  }

  package func row(_ key: Int64, of layout: EntityLayout) throws -> Row? {
    try row(of: identities.identity(layout, key: key))
  }

  package func rows(_ keys: [Int64], of layout: EntityLayout) throws -> [Row] {
    try rows(of: keys.map { identities.identity(layout, key: $0) })
  }

  package func members(
    of relationship: NSRelationshipDescription, owners: [PackedIdentity]
  ) throws -> [[NSManagedObjectID]] {
    try owners.map { try members(of: relationship, owner: identities.identity($0)) }
  }
}

/// A fetch as a store executes it: resolved to one entity, without pending changes.
package struct FetchPlan {
  package var layout: EntityLayout
  package var includesSubentities = true
  package var predicate: NSPredicate?
  package var sortDescriptors: [NSSortDescriptor] = []
  /// The maximum number of rows; 0 for no limit.
  package var limit = 0
  package var offset = 0
  /// The fetch request behind the plan, if there is one, for stores that answer requests.
  package var request: (any AnyFetchRequest)?

  package init(layout: EntityLayout) { self.layout = layout }

  /// A plan for all objects of the entity, without the predicate, order and limits.
  var ofEverything: FetchPlan {
    var plan = FetchPlan(layout: layout)
    plan.includesSubentities = includesSubentities
    return plan
  }

  /// The results that are left after offset and limit.
  package func window<Element>(_ all: some RandomAccessCollection<Element>) -> [Element] {
    let rest = all.dropFirst(offset)
    return Array(limit > 0 ? rest.prefix(limit) : rest.prefix(rest.count))
  }
}

/// The changes of one save. All identities are permanent.
package struct StoreChanges {
  /// New objects: rows with their permanent identities, not sealed yet.
  package var inserted: [Row] = []
  /// The versions of deleted objects that come back. They are higher than the versions that the
  /// objects have had, since other contexts may still hold such rows. All other new objects begin
  /// with version 1.
  package var returningVersions: [PackedIdentity: Int64] = [:]
  package var updated: [Update] = []
  package var deleted: [Deletion] = []
  /// Members that joined or left many-to-many and ordered relationships. A one-to-many relationship
  /// is stored in the slot of its to-one side.
  package var members: [MemberChange] = []
  /// Rows that were read and that the save relies on: another version in the store is a conflict,
  /// as it is for updated rows.
  package var watched: [Row] = []
  /// The saving context, for stores that use its objects. The save runs on its queue.
  package var saver: AnyObject?

  package init() {}

  package var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && members.isEmpty
  }

  /// The version with which an inserted row is written.
  @inline(__always)
  package func version(ofInserted row: Row) -> Int64 {
    returningVersions.isEmpty ? 1 : returningVersions[row.packed] ?? 1
  }

  /// The number of inserted, updated and deleted objects.
  var count: Int { inserted.count + updated.count + deleted.count }

  package struct Update {
    /// The values to write. The store writes them with the version of `snapshot` + 1.
    package let row: Row
    /// The row as it was read. Another version of it in the store is a conflict.
    package let snapshot: Row
    /// The changed slots below 64, one bit each. Most updates need nothing else, so that copying
    /// one retains no further object.
    private let slotBits: UInt64
    private let more: More?

    private final class More {
      /// The changed slots from 64 on.
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

    /// Has a bit for each changed slot below 64; the others are in `slotsBeyond`.
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

    /// The changed slots, ascending. If empty, the save just raises the row's version.
    package var slots: [Int] {
      var slots: [Int] = []
      var rest = slotBits
      while rest != 0 {
        slots.append(rest.trailingZeroBitCount)
        rest &= rest - 1
      }
      return more.map { slots + $0.slots } ?? slots
    }

    /// The changed to-many relationships, by index in the layout. For the history only.
    package var relationships: [Int] { more?.relationships ?? [] }

    /// Whether both updates are of one entity and change the same slots.
    @inline(__always)
    package func hasSameSlots(as other: Update) -> Bool {
      row.format == other.row.format && slotBits == other.slotBits
        && (more == nil && other.more == nil || more?.slots ?? [] == other.more?.slots ?? [])
    }
  }

  package struct Deletion {
    // `unowned(unsafe)` is sound: the store keeps its identity space and the space its layouts, and
    // the store outlives its save.
    package unowned(unsafe) let layout: EntityLayout
    package let packed: PackedIdentity
    package unowned(unsafe) let space: IdentitySpace?
    /// The row as it was read; nil if the object was deleted as a fault.
    package let snapshot: Row?
    /// The version that the stored row must have; nil where versions are not compared.
    package let version: Int64?

    package init(
      _ layout: EntityLayout, packed: PackedIdentity, in space: IdentitySpace?, snapshot: Row?
    ) {
      self.layout = layout
      self.packed = packed
      self.space = space
      self.snapshot = snapshot
      version = snapshot?.version
    }

    package init(identity: NSManagedObjectID, snapshot: Row?) {
      self.init(identity.layout, packed: identity.packed, in: identity.space, snapshot: snapshot)
    }

    package var identity: NSManagedObjectID { .of(packed, layout: layout, in: space) }
  }

  package struct MemberChange {
    package let relationship: NSRelationshipDescription
    package let owner: NSManagedObjectID
    package let added: [NSManagedObjectID]
    package let removed: [NSManagedObjectID]
    /// All members in their new order; nil unless the relationship is ordered.
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

/// The rows whose conflicts prevented a save, each with the row that the store has now.
///
/// Sendable: holds sealed rows and immutable identities.
package struct SaveConflicts: Error, @unchecked Sendable {
  package struct Conflict {
    package let identity: NSManagedObjectID
    /// The row in the store; nil if the object was deleted there.
    package let stored: Row?
    /// Whether the contexts of this coordinator share a newer row than the one that was read: the
    /// conflict is then with one of these contexts, else with another writer of the store.
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

extension StoreChanges {
  /// The rows as read of all objects that are updated, deleted, or watched for changes.
  package var snapshots: [Row] {
    updated.map(\.snapshot) + deleted.compactMap(\.snapshot) + watched
  }

  /// The rows whose version in the store differs from the version that was read.
  package func conflicts(in store: any RowStore) throws -> [SaveConflicts.Conflict] {
    let snapshots = snapshots
    // Recorded first: reading from the store shares the rows that it reads.
    let shared = snapshots.map(\.isShared)
    let stored = Dictionary(
      try store.rows(of: snapshots.map(\.identity)).map { ($0.packed, $0) },
      uniquingKeysWith: { first, _ in first })
    return zip(snapshots, shared).compactMap { snapshot, isShared in
      let row = stored[snapshot.packed]
      guard row?.version != snapshot.version else { return nil }
      return SaveConflicts.Conflict(
        identity: snapshot.identity, stored: row, isOfSharedRow: !isShared)
    }
  }
}

/// The error of a store whose save violates a uniqueness constraint; nothing was written.
package struct ConstraintViolation: Error {
  /// The error for the caller if the violating objects are not found.
  package let error: NSError

  package init(_ error: NSError) { self.error = error }
}
