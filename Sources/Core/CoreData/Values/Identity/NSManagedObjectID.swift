import CRuntime
import Synchronization

/// The identity of a managed object: its entity and its key in a store.
///
/// Most objects never have an ID: contexts, rows and lists identify objects by 64 bits, and an ID
/// is made on request. A live ID is the only instance for its object and store, so `===` is
/// equality within one stack; `isEqual` also holds between two coordinators of one store. IDs are
/// immutable and may be passed between threads.
///
/// Source: developer.apple.com/documentation/coredata/nsmanagedobjectid
open class NSManagedObjectID: NSObject, NSCopying, @unchecked Sendable {
  // Unretained: a format is never freed, and a space lives as long as one of its IDs (see
  // `IdentitySpace`).
  private let format: UnsafePointer<RowFormat>
  private let owner: Unmanaged<IdentitySpace>?
  package let packed: PackedIdentity

  /// Called only by ``IdentitySpace`` and ``temporary(_:layout:)``, which keep instances unique.
  init(
    format: UnsafePointer<RowFormat>, packed: PackedIdentity, space: Unmanaged<IdentitySpace>?
  ) {
    self.format = format
    self.packed = packed
    owner = space
  }

  /// Makes a temporary ID of no object, for tests and their subclasses. It is equal only to itself.
  public override init() {
    format = UnsafePointer(Self.nobody.format)
    packed = .nextTemporary(Self.nobody)
    owner = nil
  }

  /// The layout of an entity without a name and model.
  private static let nobody: EntityLayout = {
    let entity = NSEntityDescription()
    let layout = EntityLayout(entity: entity, number: 1, rootNumber: 1)
    layout.join([:])
    entity.layoutStorage = layout
    return layout
  }()

  // Sound: the space lives as long as one of its IDs.
  deinit { owner?._withUnsafeGuaranteedRef { $0.forget(self) } }

  package final var layout: EntityLayout { format.pointee.layout.takeUnretainedValue() }
  /// The root number of the entity's tree.
  final var rootNumber: Int { format.pointee.rootNumber }
  /// The identities of the object's store; nil for a temporary ID.
  package final var space: IdentitySpace? { owner?.takeUnretainedValue() }

  /// Whether the ID belongs to this space. Only addresses are compared.
  @inline(__always)
  final func belongs(to space: IdentitySpace) -> Bool {
    owner?.toOpaque() == Unmanaged.passUnretained(space).toOpaque()
  }

  /// Whether the ID belongs to this space; for nil, whether it is temporary. Only addresses are
  /// compared.
  @inline(__always)
  final func isOf(_ space: Unmanaged<IdentitySpace>?) -> Bool {
    owner?.toOpaque() == space?.toOpaque()
  }

  /// Makes the identity of an object that was never saved.
  package static func temporary(_ layout: EntityLayout) -> NSManagedObjectID {
    temporary(.nextTemporary(layout), layout: layout)
  }

  /// The ID of an object that was never saved.
  static func temporary(_ packed: PackedIdentity, layout: EntityLayout) -> NSManagedObjectID {
    TemporaryObjectID.table.object(
      for: packed.bits,
      orInsert: { TemporaryObjectID(format: layout.format, packed: packed, space: nil) })
  }

  /// The ID of an object, made if it does not exist yet.
  @inline(__always)
  package static func of(
    _ packed: PackedIdentity, layout: EntityLayout, in space: IdentitySpace?
  ) -> NSManagedObjectID {
    if let space { return space.identity(layout, key: packed.key) }
    return temporary(packed, layout: layout)
  }

  /// The current ID of the object: the permanent one once it has been saved.
  var resolved: NSManagedObjectID { self }

  private static let processTag = UUID().uuidString

  /// The entity of the object.
  open var entity: NSEntityDescription { layout.entity }

  /// Whether the object has not been saved yet; a save gives it a permanent ID.
  open var isTemporaryID: Bool { packed.isTemporary }

  /// The store of the object; nil for a temporary ID, and once the store has been removed.
  open var persistentStore: NSPersistentStore? { space?.store }

  /// The URI of the object, `x-coredata://STORE-UUID/Entity/p7`, which is the same in all runs for
  /// a permanent ID. The URI of a temporary ID is `x-coredata:///Entity/t…`.
  open func uriRepresentation() -> URL {
    let name = layout.entity.name ?? ""
    guard let space else {
      return Self.uri("", entityName: name, reference: "t\(Self.processTag)\(packed.key)")
    }
    return Self.uri(space.storeUUID, entityName: name, reference: space.reference(packed.key))
  }

  /// The parts of the URI: the store's UUID (nil for a temporary ID) and the object's reference.
  package final var addressParts: (store: String?, reference: String) {
    Self.addressParts(packed, space: space)
  }

  static func addressParts(
    _ packed: PackedIdentity, space: IdentitySpace?
  ) -> (store: String?, reference: String) {
    guard let space else { return (nil, "t\(processTag)\(packed.key)") }
    return (space.storeUUID, space.reference(packed.key))
  }

  /// The URI of an object. Names, and UUIDs from damaged files, may contain any characters: those
  /// not allowed in a URI are escaped.
  package static func uri(_ storeUUID: String, entityName: String, reference: String) -> URL {
    let parts = [storeUUID, entityName].map { $0.escapedForAddress }
    guard let url = URL(string: "x-coredata://\(parts[0])/\(parts[1])/\(reference)") else {
      preconditionFailure("x-coredata://\(parts[0])/\(parts[1])/\(reference) is no valid URI")
    }
    return url
  }

  /// The ID itself: IDs are immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  // Hashed collections mix the bits; mixing them here as well would double the cost.
  open override var hash: Int { Int(truncatingIfNeeded: packed.key) }

  open override func isEqual(_ object: Any?) -> Bool {
    // Without a cast, as in `NSManagedObject.isEqual(_:)`. Sound: the box keeps its object alive.
    let known = BoxedValue.look(into: object) { box in
      box.object.flatMap { $0._withUnsafeGuaranteedRef { isEqual(toPeer: $0) } }
    }
    if let known { return known }
    guard let other = object as? NSManagedObjectID else { return false }
    return isEqual(to: other)
  }

  /// Whether the IDs are equal; nil if `object` is of another class.
  @inline(__always)
  private func isEqual(toPeer object: NSObject) -> Bool? {
    guard ObjectIdentifier(type(of: object)) == ObjectIdentifier(type(of: self)) else { return nil }
    return isEqual(to: unsafeDowncast(object, to: NSManagedObjectID.self))
  }

  private func isEqual(to other: NSManagedObjectID) -> Bool {
    if self === other { return true }
    guard packed.key == other.packed.key, let space, let otherSpace = other.space else {
      return false
    }
    return space.storeUUID == otherSpace.storeUUID
      && rootNumber == other.rootNumber
  }

  open override var description: String { "<\(uriRepresentation().absoluteString)>" }
}

extension NSManagedObjectID {
  /// The newest row of this object that is alive; nil if there is none.
  package var cachedRow: Row? { space?.cachedRow(layout, packed: packed) }
}

/// The ID of an object that was never saved. It refers to the permanent ID once a save has assigned
/// one.
///
/// Sendable: `successor` is guarded by its lock.
final class TemporaryObjectID: NSManagedObjectID, @unchecked Sendable {
  /// The live temporary IDs of all contexts.
  fileprivate static let table = WeakTable<TemporaryObjectID>()

  deinit { Self.table.remove(self, for: packed.bits) }

  /// Records the permanent ID of a saved object for holders of its temporary ID.
  static func note(
    _ temporary: PackedIdentity, became permanent: @autoclosure () -> NSManagedObjectID
  ) {
    table.objectIfAny(for: temporary.bits)?.becomePermanent(permanent())
  }

  // Set once, by the context that has saved; readable on any thread.
  private let successor = Mutex<NSManagedObjectID?>(nil)

  override var resolved: NSManagedObjectID { successor.withLock { $0 } ?? self }

  private func becomePermanent(_ identity: NSManagedObjectID) {
    successor.withLock { $0 = identity }
    Self.count.wrappingAdd(1, ordering: .releasing)
  }

  private static let count = Atomic<UInt64>(0)

  /// The number of IDs that have become permanent so far. Anything derived from temporary IDs is
  /// valid while this is unchanged.
  static var successions: UInt64 { count.load(ordering: .acquiring) }
}

extension NSManagedObjectID: NSFetchRequestResult {}

extension CoreDataError {
  /// Error 133000: the object no longer exists in its store.
  package static func missingObject(_ identity: NSManagedObjectID) -> NSError {
    make(
      .managedObjectReferentialIntegrity,
      reason: "The store has no object with the ID \(identity).",
      userInfo: [NSAffectedObjectsErrorKey: [identity]])
  }
}
