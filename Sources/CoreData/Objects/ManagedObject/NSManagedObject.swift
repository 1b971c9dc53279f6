/// An object of the graph: values of an entity's properties, tracked by a context.
///
/// A managed object belongs to its context's queue and may be used nowhere else; its
/// ``objectID`` may. Its values come from a row that it shares with the store's cache until it is
/// edited. Deallocation is safe on every thread.
///
/// Source: developer.apple.com/documentation/coredata/nsmanagedobject
open class NSManagedObject: NSObject {
  final let layout: EntityLayout
  /// None until asked for: an object that a fetch makes is given its identity by the context.
  final var packed = PackedIdentity.none
  /// The store that has the object; nil while it was never saved.
  final var space: IdentitySpace? { spaceReference?.takeUnretainedValue() }
  // Counted by an object without a registry alone: a registry owns the spaces of its objects, or those of all
  // contexts would write one count.
  final private(set) var spaceReference: Unmanaged<IdentitySpace>?
  /// The objects of the context that it is in; nil for an object of none.
  @inline(__always)
  final var registry: ObjectRegistry? { registryReference?.takeUnretainedValue() }
  // Not counted: a registry lives as long as it has a member.
  final private(set) var registryReference: Unmanaged<ObjectRegistry>?
  /// The values as last read or saved.
  final private var readRow: Row?
  /// The values now where they are others; mostly an unsealed copy with edits.
  final private var ownRow: Row?
  /// How the object was before this event; nil when the event has not touched it.
  final var event = EventPart.none
  /// What is known of related objects; nil until a to-many relationship is touched.
  final var relations: Relations?
  @exclusivity(unchecked)
  final var lifecycle = Lifecycle.absent
  @exclusivity(unchecked)
  final var flags: Flags = []
  /// Where the object is in the one ``ObjectRoster`` that has it.
  final var rosterPlace: Int32 = 0

  struct Flags: OptionSet {
    let rawValue: UInt8

    /// Values are not to be read before `awakeFromFetch` has run.
    static let fault = Flags(rawValue: 1)
    /// In the context's roster of updated objects.
    static let updated = Flags(rawValue: 2)
    /// Edits are not tracked: `awakeFromFetch` is running, or a merge.
    static let untracked = Flags(rawValue: 4)
    /// Another context has deleted the row: the next save has nothing to delete.
    static let goneFromStore = Flags(rawValue: 8)
    /// Writes down which keys it is asked for, and has no values.
    static let probe = Flags(rawValue: 16)
    /// Somebody wants to know of changes: there is an ``ObserverTable``.
    static let observed = Flags(rawValue: 32)
    /// Of a class that is `Observable`: what is read of it may be tracked.
    static let observable = Flags(rawValue: 64)
    /// A child context has saved edits of it into this one.
    static let editedByChild = Flags(rawValue: 128)

    /// Somebody may want to know which properties are read.
    static let readsNoted: Flags = [.probe, .observable]
    /// A value is not just there to be taken.
    static let slowReads: Flags = [.fault, .observable]
  }

  /// A new object of `entity`, inserted into `context` if there is one.
  ///
  /// Without a context the object has the model's defaults, and keeps its values to itself until it is
  /// inserted.
  // Not `__shared`, though the arguments are only looked at: an override has them owned, and the compiler lets it release
  // what nobody has retained for it.
  public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    layout = entity.layout
    super.init()
    noteObservability()
    context?.insert(self)
  }

  /// A new object of the entity that this class stands for, inserted into `context`.
  ///
  /// The entity is looked up by class in the context's model. A class that no entity names stops
  /// the program with a message that says so.
  public convenience init(context: NSManagedObjectContext) {
    self.init(entity: context.entity(for: Self.self), insertInto: context)
  }

  deinit {
    if let registryReference {
      spaceReference?._withUnsafeGuaranteedRef { $0.usage?.end(packed) }
      registryReference._withUnsafeGuaranteedRef { $0.leave(self, packed) }
    } else {
      spaceReference?.release()
    }
  }

  /// Whether it is as an initializer leaves it, in no context.
  final var isBlank: Bool {
    packed == .none && spaceReference == nil && registryReference == nil && readRow == nil
      && ownRow == nil && event.isNone && relations == nil && rosterPlace == 0
  }

  // MARK: - Values

  /// The values now: the sealed snapshot itself, or an unsealed copy with edits. nil: a fault whose
  /// row has not been read.
  @inline(__always)
  final var current: Row? {
    get { ownRow ?? readRow }
    set { ownRow = newValue === readRow ? nil : newValue }
  }

  /// The same without counting it, for as long as nobody sets it.
  @inline(__always)
  final var currentReference: Unmanaged<Row>? {
    if let ownRow { return .passUnretained(ownRow) }
    return readRow.map(Unmanaged.passUnretained)
  }

  /// The values as last read or saved, without counting them.
  @inline(__always)
  final var snapshotReference: Unmanaged<Row>? { readRow.map(Unmanaged.passUnretained) }

  /// The values as last read or saved; nil for an object that was never saved. Setting it leaves the values
  /// now as they are, if there are any.
  @inline(__always)
  final var snapshot: Row? {
    get { readRow }
    set {
      let now = current
      readRow = newValue
      current = now
    }
  }

  /// The object has the values that it has now, and none that were read.
  final func forgetSnapshot() {
    if ownRow == nil { return swap(&readRow, &ownRow) }
    if let readRow { ownRow?.note(version: readRow.version) }
    readRow = nil
  }

  /// Sets a value of the row that has edits already, without counting it; false where there is none.
  @inline(__always)
  final func writeInPlace(_ value: Value, _ slot: Int) -> Bool {
    guard !flags.contains(.fault), let ownRow = ownRow.map(Unmanaged.passUnretained),
      !ownRow._withUnsafeGuaranteedRef({ $0.isSealed })
    else { return false }
    ownRow._withUnsafeGuaranteedRef { $0[slot] = value }
    return true
  }

  /// Seals the row with edits, which becomes the one that was read; nil where there is none.
  final func sealOwnRow(version: Int64) -> Row? {
    guard !flags.contains(.fault), let row = ownRow, !row.isSealed else { return nil }
    row.resolveIdentities()
    row.seal(packed, inUncounted: spaceReference, version: version)
    swap(&readRow, &ownRow)
    ownRow = nil
    return row
  }

  /// Takes a row as the values that were read and those that are now; nil to have none.
  @inline(__always)
  final func hold(_ row: Row?) {
    readRow = row
    if ownRow != nil { ownRow = nil }
  }

  /// Enters a registry, out of the one that the object is in, under the identity that it has from now on.
  final func enter(
    _ registry: ObjectRegistry, _ packed: PackedIdentity, in space: Unmanaged<IdentitySpace>?
  ) {
    leaveRegistry()
    noteEntry(into: registry, packed, in: space)
    if flags.contains(.observed) { registry.hasObservedObjects = true }
    registry.enter(self, packed)
  }

  /// Takes an identity that no context has it under.
  private func take(_ packed: PackedIdentity, in space: IdentitySpace?) {
    self.packed = packed
    spaceReference = space.map(Unmanaged.passRetained)
  }

  /// An object that no context knows any more, as `reset()` leaves one: a fault whose values are nil.
  static func gone(_ identity: NSManagedObjectID) -> NSManagedObject {
    let object = identity.layout.objectClass.make(identity.layout)
    object.flags.insert(.fault)
    object.take(identity.packed, in: identity.space)
    return object
  }

  /// For who has entered the object.
  @inline(__always)
  final func noteEntry(
    into registry: ObjectRegistry, _ packed: PackedIdentity, in space: Unmanaged<IdentitySpace>?
  ) {
    if let space { registry.own(space) }
    if registryReference == nil { spaceReference?.release() }
    self.packed = packed
    spaceReference = space
    registryReference = .passUnretained(registry)
  }

  final func leaveRegistry() {
    guard let registry = registryReference else { return }
    _ = spaceReference?.retain()
    registryReference = nil
    registry._withUnsafeGuaranteedRef { $0.leave(self, packed) }
  }

  /// Temporary until the first save.
  public final var objectID: NSManagedObjectID {
    .of(packedIdentity, layout, in: space)
  }

  /// The same in 64 bits.
  final var packedIdentity: PackedIdentity {
    if packed == .none { packed = .nextTemporary(layout) }
    return packed
  }

  /// The same under which stores and other contexts know the object by now.
  final var resolvedIdentity: PackedIdentity {
    packedIdentity.isTemporary ? objectID.resolved.packed : packed
  }

  open var entity: NSEntityDescription { layout.entity }

  /// nil once the context is gone, was reset, or has saved the object's deletion.
  open var managedObjectContext: NSManagedObjectContext? { registry?.context }

  open var isInserted: Bool { lifecycle == .inserted }

  /// Whether the object has changes that a save would write or that its context posted.
  open var isUpdated: Bool { lifecycle == .live && flags.contains(.updated) }

  /// True from `delete` until the deletion is saved.
  open var isDeleted: Bool { lifecycle.isDeleted }

  open var hasChanges: Bool { isInserted || isUpdated || lifecycle == .deleted }

  /// Whether the object's values have yet to be read, by the object if not from the store.
  open var isFault: Bool { flags.contains(.fault) }

  /// Non-zero while the object is a fault on its way to values or back.
  open var faultingState: Int { isFault ? 1 : 0 }

  open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

  // MARK: - For subclasses

  /// Called when the first value of a fetched object is asked for. Changes made here are not
  /// tracked; relationships must be left alone.
  open func awakeFromFetch() {}

  /// Called once in an object's life, when it is first inserted, with its defaults set.
  open func awakeFromInsert() {}

  /// Called after undo, redo, rollback, refresh or a merge policy has set values.
  open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}

  /// Called by `delete`, before the delete rules act: the object and its relationships are whole.
  open func prepareForDeletion() {}

  /// Called before the object is written or deleted by a save. What it changes is part of the save,
  /// and makes the context call it again: change through primitive values, or only when needed.
  open func willSave() {}

  /// Called after the save has been written.
  open func didSave() {}

  open func willTurnIntoFault() {}

  /// The object's values are gone by now.
  open func didTurnIntoFault() {}

  // MARK: - Key-value coding

  /// The value of a property: a class's own registered getter first, then the model's storage. A getter that asks for
  /// its own key gets what the model holds.
  ///
  /// Numbers come as `NSNumber`, to-many relationships as a set of their objects.
  open func value(forKey key: String) -> Any? {
    if let answer = GetterCalls.answer(self, key) { return answer }
    guard let place = layout.place(of: key) else {
      if let recorded = recordedKey(key) { return recorded.value }
      if let answer = NamedAccess.value(of: self, forKey: key) { return answer }
      return builtInValue(forKey: key) ?? value(forUndefinedKey: key)
    }
    if let recorded = recordedAccess(place, key) { return recorded.value }
    return modelledValue(place)
  }

  open func setValue(_ value: Any?, forKey key: String) {
    if NamedAccess.set(value, of: self, forKey: key) == .done { return }
    guard let place = layout.place(of: key) else {
      return setValue(value, forUndefinedKey: key)
    }
    setModelledValue(value, place, tracked: true)
  }

  /// Sets the property at the end of a path; nothing happens where an object on the way is nil.
  ///
  /// A path into a composite attribute sets that element and leaves the others as they are.
  open func setValue(_ value: Any?, forKeyPath keyPath: String) {
    setValueAlongPath(value, keyPath)
  }

  /// Stops the program: no property has this name.
  open func value(forUndefinedKey key: String) -> Any? {
    fatalError(undefinedKeyText(key))
  }

  /// Stops the program: no property has this name.
  open func setValue(_ value: Any?, forUndefinedKey key: String) {
    fatalError(undefinedKeyText(key))
  }

  open func setNilValueForKey(_ key: String) { setValue(nil, forKey: key) }

  /// The stored value of a property, past accessors and change tracking.
  open func primitiveValue(forKey key: String) -> Any? {
    if let recorded = recordedKey(key) { return recorded.value }
    guard let place = layout.place(of: key) else { return value(forUndefinedKey: key) }
    return modelledValue(place)
  }

  /// Sets the stored value of a property; the context takes no notice.
  open func setPrimitiveValue(_ value: Any?, forKey key: String) {
    guard let place = layout.place(of: key) else {
      return setValue(value, forUndefinedKey: key)
    }
    setModelledValue(value, place, tracked: false)
  }

  /// Fires the fault; for use around ``primitiveValue(forKey:)`` in accessors of your own.
  open func willAccessValue(forKey key: String?) {
    if let key, recordedKey(key) != nil { return }
    fireFault()
  }

  open func didAccessValue(forKey key: String?) {}

  // MARK: - Key-value observing

  /// Tells the context and observers that the object is about to change; call it before
  /// ``setPrimitiveValue(_:forKey:)`` in accessors of your own.
  open func willChangeValue(forKey key: String) {
    announceChange(key)
    noteEdit()
  }

  open func didChangeValue(forKey key: String) { reportChange(key) }

  /// The same for a to-many relationship.
  open func willChangeValue(
    forKey key: String, withSetMutation kind: NSKeyValueSetMutationKind,
    using objects: Set<AnyHashable>
  ) {
    announceChange(key) {
      PropertyChange(kind, objects, members: self.observedMembers(key))
    }
    noteEdit()
  }

  open func didChangeValue(
    forKey key: String, withSetMutation kind: NSKeyValueSetMutationKind,
    using objects: Set<AnyHashable>
  ) { reportChange(key) }

  /// The same for an ordered relationship: what is at `indexes`, or will be.
  open func willChange(
    _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String
  ) {
    announceChange(key) { self.change(changeKind, at: indexes, key) }
    noteEdit()
  }

  open func didChange(
    _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String
  ) { reportChange(key) }

  /// Called where this object observes another one; the default does nothing.
  open func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {}

  /// The key paths that the value of a property depends on: who observes the property is told when one of them changes.
  /// Override it for properties that are computed of others, and call `super` for the rest. In ported sources this answers
  /// what the class's method `keyPathsForValuesAffecting<Key>` does.
  open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    NamedMembers.keyPathsAffecting(key, of: self)
  }

  /// The entity of this class, found by class name among the models in use.
  ///
  /// When no model names the class, that goes to standard error and the answer is an entity without a name; an object
  /// of such a class cannot be made.
  open class func entity() -> NSEntityDescription { LoadedModels.claimedEntity(of: Self.self) }

  open subscript(key: String) -> Any? {
    get { value(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  // MARK: - Validation

  /// Checks one value against the property's rules; override to add rules for a key.
  open func validateValue(_ value: inout Any?, forKey key: String) throws {
    guard Self.validatesByPointer else { return try checkValue(&value, key) }
    let boxed = value.map { $0 as AnyObject }
    let pointer = AutoreleasingUnsafeMutablePointer<AnyObject?>(boxed)
    try validateValue(pointer, forKey: key)
    if pointer.pointee !== boxed { value = pointer.pointee }
  }

  /// The same in the form that Apple's has, for classes that override that one. Override one of the two.
  open func validateValue(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
  ) throws {
    var now: Any? = value.pointee
    try checkValue(&now, key)
    if now as AnyObject? !== value.pointee { value.pointee = now.map { $0 as AnyObject } }
  }

  /// Checks one value of the type in which Apple's method takes it.
  public final func validateValue(_ value: inout AnyObject?, forKey key: String) throws {
    var any: Any? = value
    try validateValue(&any, forKey: key)
    if any as AnyObject? !== value { value = any.map { $0 as AnyObject } }
  }

  private func checkValue(_ value: inout Any?, _ key: String) throws {
    if let validated = try NamedAccess.validate(value, of: self, forKey: key) { value = validated }
    try checkRules(of: key, value)
  }

  /// Checks every property before a new object is saved.
  open func validateForInsert() throws { try checkAllRules() }

  /// Checks every property before a changed object is saved.
  open func validateForUpdate() throws { try checkAllRules() }

  /// Checks the relationships whose delete rule is Deny before a deletion is saved.
  open func validateForDelete() throws { try checkDeleteRules() }

  /// By identity. Final: contexts rely on it, and Apple's documentation forbids to override it.
  public final override var hash: Int {
    Int(bitPattern: Unmanaged.passUnretained(self).toOpaque()) >> 4
  }

  /// By identity; see ``hash``.
  public final override func isEqual(_ object: Any?) -> Bool {
    // Sets compare many objects, and a cast would take longer than all else.
    BoxedValue.look(into: object) { box in
      box.object.map { $0.toOpaque() == Unmanaged.passUnretained(self).toOpaque() }
    } ?? ((object as? NSManagedObject) === self)
  }

  open override var description: String {
    let state = isFault ? "<fault>" : "\(changedOrAllValuesForDescription())"
    let name = layout.entity.name ?? ""
    let address = UInt(bitPattern: ObjectIdentifier(self).hashValue)
    return "<\(Self.self): 0x\(String(address, radix: 16))> "
      + "(entity: \(name); id: \(objectID.uriRepresentation().absoluteString); data: \(state))"
  }

  /// Property names with "set" or "nil": stored values stay out of logs.
  private func changedOrAllValuesForDescription() -> String {
    guard let current else { return "{}" }
    let parts = layout.slots.indices.map { slot in
      "\(layout.slots[slot].name) = \(current[slot].isNull ? "nil" : "…")"
    }
    return "{\(parts.joined(separator: "; "))}"
  }
}

/// Why ``NSManagedObject/awake(fromSnapshotEvents:)`` is called.
public struct NSSnapshotEventType: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let undoInsertion = NSSnapshotEventType(rawValue: 2)
  public static let undoDeletion = NSSnapshotEventType(rawValue: 4)
  public static let undoUpdate = NSSnapshotEventType(rawValue: 8)
  public static let rollback = NSSnapshotEventType(rawValue: 16)
  public static let refresh = NSSnapshotEventType(rawValue: 32)
  public static let mergePolicy = NSSnapshotEventType(rawValue: 64)
}
