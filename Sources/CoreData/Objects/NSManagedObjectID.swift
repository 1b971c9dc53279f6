import CRuntime
import Synchronization

/// The identity of a managed object: its entity and its key in a store.
///
/// There is one instance per object and store of a coordinator, so `===` is equality among the
/// objects of one stack; `isEqual` also holds between two coordinators on the same store.
/// Object IDs are immutable and may be passed between threads.
///
/// Source: developer.apple.com/documentation/coredata/nsmanagedobjectid
open class NSManagedObjectID: NSObject, NSCopying, @unchecked Sendable {
  package let layout: EntityLayout
  package let packed: PackedIdentity
  /// The store's identities; nil while the ID is temporary.
  package let space: IdentitySpace?
  // The newest row that is alive, not retained: the store's row cache. Guarded by
  // `space.rowLock`; the row's `deinit` clears it.
  fileprivate var row: Unmanaged<Row>?

  /// Made by ``IdentitySpace`` and by ``temporary(_:)`` only, which keep the instances unique.
  init(layout: EntityLayout, packed: PackedIdentity, space: IdentitySpace?) {
    self.layout = layout
    self.packed = packed
    self.space = space
  }

  deinit { space?.forget(self) }

  /// A new identity for an object that was never saved.
  static func temporary(_ layout: EntityLayout) -> NSManagedObjectID {
    let key = nextTemporaryKey.wrappingAdd(1, ordering: .relaxed).newValue
    let packed = PackedIdentity(temporaryKey: key, entityNumber: layout.number)
    return TemporaryObjectID(layout: layout, packed: packed, space: nil)
  }

  /// The ID under which the object is known now: its permanent one once it has been saved.
  var resolved: NSManagedObjectID { self }

  private static let nextTemporaryKey = Atomic<Int64>(0)
  private static let processTag = UUID().uuidString

  /// The entity of the object.
  open var entity: NSEntityDescription { layout.entity }

  /// Whether the object has not been saved yet; a save gives it another, permanent ID.
  open var isTemporaryID: Bool { packed.isTemporary }

  /// The store that holds the object; nil for a temporary ID or when the store has been removed.
  open var persistentStore: NSPersistentStore? { space?.store }

  /// The object's address, `x-coredata://STORE-UUID/Entity/p7`, which stays the same between runs
  /// for a permanent ID. A temporary one reads `x-coredata:///Entity/t…`.
  open func uriRepresentation() -> URL {
    let name = layout.entity.name ?? ""
    let text =
      if let space {
        "x-coredata://\(space.storeUUID)/\(name)/p\(space.referenceText(packed.key))"
      } else {
        "x-coredata:///\(name)/t\(Self.processTag)\(packed.key)"
      }
    guard let url = URL(string: text) else {
      preconditionFailure("The entity name “\(name)” gives no valid URI")
    }
    return url
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  // The hashed collections scramble it; a second scrambling here would cost as much again.
  open override var hash: Int { Int(truncatingIfNeeded: packed.key) }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSManagedObjectID else { return false }
    if self === other { return true }
    guard let space, let otherSpace = other.space, packed.key == other.packed.key else {
      return false
    }
    return space.storeUUID == otherSpace.storeUUID
      && layout.rootNumber == other.layout.rootNumber
  }

  open override var description: String { "<\(uriRepresentation().absoluteString)>" }
}

extension NSManagedObjectID {
  /// The newest row of this object that some context or the caller holds; nil when there is none.
  package var cachedRow: Row? {
    space?.rowLock.withLock { _ in
      guard let row, swift_tryRetain(row.toOpaque()) != nil else { return nil }
      return row.takeRetainedValue()
    }
  }

  /// The cached row if it has this version: spares decoding a row that has not changed.
  package func cachedRow(version: Int64) -> Row? {
    space?.rowLock.withLock { _ in
      guard let row, row._withUnsafeGuaranteedRef({ $0.version == version }),
        swift_tryRetain(row.toOpaque()) != nil
      else { return nil }
      return row.takeRetainedValue()
    }
  }

  /// Makes `row` the cached one. The row must be sealed.
  package func publish(_ row: Row) {
    space?.rowLock.withLock { _ in self.row = Unmanaged.passUnretained(row) }
  }

  /// Called by a row's `deinit`.
  func withdraw(_ row: Row) {
    space?.rowLock.withLock { _ in
      if self.row?.toOpaque() == Unmanaged.passUnretained(row).toOpaque() { self.row = nil }
    }
  }
}

/// The ID of an object that was never saved; remembers the permanent one that a save gave.
final class TemporaryObjectID: NSManagedObjectID, @unchecked Sendable {
  // Set once, by the context that saved; its lock makes it readable everywhere.
  private let successor = Mutex<NSManagedObjectID?>(nil)

  override var resolved: NSManagedObjectID { successor.withLock { $0 } ?? self }

  func becomePermanent(_ identity: NSManagedObjectID) {
    successor.withLock { $0 = identity }
    Self.count.wrappingAdd(1, ordering: .releasing)
  }

  private static let count = Atomic<UInt64>(0)

  /// How many IDs have become permanent so far: what was read off temporary ones holds for as long as this
  /// stays the same.
  static var successions: UInt64 { count.load(ordering: .acquiring) }
}
