import CRuntime
import Synchronization

/// The identity of a managed object: its entity and its key in a store.
///
/// Most objects never have one: contexts, rows and lists know objects by 64 bits of their own, and an ID is made
/// when somebody asks for it. As long as it is alive it is the only instance of its object in its store, so
/// `===` is equality among the objects of one stack; `isEqual` also holds between two coordinators on the same
/// store.
/// Object IDs are immutable and may be passed between threads.
///
/// Source: developer.apple.com/documentation/coredata/nsmanagedobjectid
open class NSManagedObjectID: NSObject, NSCopying, @unchecked Sendable {
  // What all IDs share is not counted by each of them: a format is never freed, and a space lives as long as
  // one of its IDs (see `IdentitySpace`).
  private let format: UnsafePointer<RowFormat>
  private let owner: Unmanaged<IdentitySpace>?
  package let packed: PackedIdentity

  /// Made by ``IdentitySpace`` and by ``temporary(_:_:)`` only, which keep the instances unique.
  init(
    format: UnsafePointer<RowFormat>, packed: PackedIdentity, space: Unmanaged<IdentitySpace>?
  ) {
    self.format = format
    self.packed = packed
    owner = space
  }

  /// The ID of no object, as tests make one. It is temporary, and equal to itself alone.
  public override convenience init() {
    self.init(format: Self.nobody.format, packed: .nextTemporary(Self.nobody), space: nil)
  }

  /// An entity without a name in no model.
  private static let nobody: EntityLayout = {
    let entity = NSEntityDescription()
    let layout = EntityLayout(entity: entity, number: 1, rootNumber: 1)
    layout.join([:])
    entity.layoutStorage = layout
    return layout
  }()

  deinit { owner?._withUnsafeGuaranteedRef { $0.forget(self) } }

  package final var layout: EntityLayout { format.pointee.layout.takeUnretainedValue() }
  /// Of the entity's tree.
  final var rootNumber: Int { format.pointee.rootNumber }
  /// The store's identities; nil while the ID is temporary.
  package final var space: IdentitySpace? { owner?.takeUnretainedValue() }

  /// Whether it is of this very space.
  @inline(__always)
  final func belongs(to space: IdentitySpace) -> Bool {
    owner?.toOpaque() == Unmanaged.passUnretained(space).toOpaque()
  }

  /// Whether it is of this very space, or temporary for none.
  @inline(__always)
  final func isOf(_ space: Unmanaged<IdentitySpace>?) -> Bool {
    owner?.toOpaque() == space?.toOpaque()
  }

  /// A new identity for an object that was never saved.
  package static func temporary(_ layout: EntityLayout) -> NSManagedObjectID {
    temporary(.nextTemporary(layout), layout)
  }

  /// The ID of an object that was never saved.
  static func temporary(_ packed: PackedIdentity, _ layout: EntityLayout) -> NSManagedObjectID {
    TemporaryObjectID.table.object(
      for: packed.bits,
      orInsert: { TemporaryObjectID(format: layout.format, packed: packed, space: nil) })
  }

  /// The ID of an object, made if nobody has it.
  @inline(__always)
  package static func of(
    _ packed: PackedIdentity, _ layout: EntityLayout, in space: IdentitySpace?
  ) -> NSManagedObjectID {
    if let space { return space.identity(layout, key: packed.key) }
    return temporary(packed, layout)
  }

  /// The ID under which the object is known now: its permanent one once it has been saved.
  var resolved: NSManagedObjectID { self }

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
    guard let space else { return Self.uri("", name, "t\(Self.processTag)\(packed.key)") }
    return Self.uri(space.storeUUID, name, space.reference(packed.key))
  }

  /// What the address has: the store's UUID, nil for a temporary ID, and the object's key there.
  package final var addressParts: (store: String?, reference: String) {
    Self.addressParts(packed, space)
  }

  static func addressParts(
    _ packed: PackedIdentity, _ space: IdentitySpace?
  ) -> (store: String?, reference: String) {
    guard let space else { return (nil, "t\(processTag)\(packed.key)") }
    return (space.storeUUID, space.reference(packed.key))
  }

  /// The address of an object. A UUID out of a damaged file, or a name, may hold anything: what no address takes
  /// is escaped.
  package static func uri(_ storeUUID: String, _ entityName: String, _ reference: String) -> URL {
    let parts = [storeUUID, entityName].map { $0.escapedForAddress }
    guard let url = URL(string: "x-coredata://\(parts[0])/\(parts[1])/\(reference)") else {
      preconditionFailure("x-coredata://\(parts[0])/\(parts[1])/\(reference) is no valid URI")
    }
    return url
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  // The hashed collections scramble it; a second scrambling here would cost as much again.
  open override var hash: Int { Int(truncatingIfNeeded: packed.key) }

  open override func isEqual(_ object: Any?) -> Bool {
    // As for objects: see there.
    let known = BoxedValue.look(into: object) { box in
      box.object.flatMap { $0._withUnsafeGuaranteedRef { isEqual(toPeer: $0) } }
    }
    if let known { return known }
    guard let other = object as? NSManagedObjectID else { return false }
    return isEqual(to: other)
  }

  /// nil for an object of another class.
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
  /// The newest row of this object that some context or the caller holds; nil when there is none.
  package var cachedRow: Row? { space?.cachedRow(layout, packed) }
}

/// The ID of an object that was never saved; remembers the permanent one that a save gave.
final class TemporaryObjectID: NSManagedObjectID, @unchecked Sendable {
  /// Those that are alive, of all contexts.
  fileprivate static let table = WeakTable<TemporaryObjectID>()

  deinit { Self.table.remove(self, for: packed.bits) }

  /// Notes that the object of a temporary ID has become permanent, for those who have the ID.
  static func note(
    _ temporary: PackedIdentity, became permanent: @autoclosure () -> NSManagedObjectID
  ) {
    table.objectIfAny(for: temporary.bits)?.becomePermanent(permanent())
  }

  // Set once, by the context that saved; its lock makes it readable everywhere.
  private let successor = Mutex<NSManagedObjectID?>(nil)

  override var resolved: NSManagedObjectID { successor.withLock { $0 } ?? self }

  private func becomePermanent(_ identity: NSManagedObjectID) {
    successor.withLock { $0 = identity }
    Self.count.wrappingAdd(1, ordering: .releasing)
  }

  private static let count = Atomic<UInt64>(0)

  /// How many IDs have become permanent so far: what was read off temporary ones holds for as long as this
  /// stays the same.
  static var successions: UInt64 { count.load(ordering: .acquiring) }
}
