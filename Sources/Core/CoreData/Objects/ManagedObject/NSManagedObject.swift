/// An object of the graph: the values of an entity's properties, tracked by a context.
///
/// A managed object is confined to its context's queue; only its ``objectID`` may be used
/// elsewhere. Its values come from a row that it shares with the store's row cache until it is
/// edited. The object may be released on any thread.
///
/// Source: developer.apple.com/documentation/coredata/nsmanagedobject
open class NSManagedObject: NSObject {
  final let layout: EntityLayout
  /// The identity; `none` until it is first read. The context sets it in objects that a fetch
  /// makes.
  final var packed = PackedIdentity.none
  /// The identities of the object's store; nil while the object has never been saved.
  final var space: IdentitySpace? { spaceReference?.takeUnretainedValue() }
  // Retained only by an object without a registry. A registry owns the spaces of its objects, so
  // that the objects of all contexts do not write one reference count.
  final private(set) var spaceReference: Unmanaged<IdentitySpace>?
  /// The registry of the object's context; nil for an object without a context.
  @inline(__always)
  final var registry: ObjectRegistry? { registryReference?.takeUnretainedValue() }
  // Unretained: a registry lives as long as it has a member.
  final private(set) var registryReference: Unmanaged<ObjectRegistry>?
  /// The values last read or saved.
  final private var readRow: Row?
  /// The current values if they differ from `readRow`; mostly an unsealed copy with edits.
  final private var ownRow: Row?
  /// The object's state before the current event; `none` if the event has not changed it.
  final var event = EventPart.none
  /// To-many members and other rare state; nil until it is needed.
  final var relations: Relations?
  @exclusivity(unchecked)
  final var lifecycle = Lifecycle.absent
  @exclusivity(unchecked)
  final var flags: Flags = []
  /// The object's index in the ``ObjectRoster`` that contains it.
  final var rosterPlace: Int32 = 0

  struct Flags: OptionSet {
    let rawValue: UInt8

    /// Values must not be read before `awakeFromFetch` has run.
    static let fault = Flags(rawValue: 1)
    /// The object is in the context's roster of updated objects.
    static let updated = Flags(rawValue: 2)
    /// Edits are not tracked, because `awakeFromFetch` or a merge is running.
    static let untracked = Flags(rawValue: 4)
    /// Another context has deleted the row: the next save has nothing to delete.
    static let goneFromStore = Flags(rawValue: 8)
    /// The object is a probe: it records the keys that are read and has no values.
    static let probe = Flags(rawValue: 16)
    /// The object is observed and has an ``ObserverTable``.
    static let observed = Flags(rawValue: 32)
    /// The class is `Observable`: reads of the object may be tracked.
    static let observable = Flags(rawValue: 64)
    /// A child context has saved edits of the object into its context.
    static let editedByChild = Flags(rawValue: 128)

    /// Flags of objects whose property reads may be recorded.
    static let readsNoted: Flags = [.probe, .observable]
    /// Flags of objects whose values cannot be read directly from the row.
    static let slowReads: Flags = [.fault, .observable]
  }

  /// Makes an object of `entity` and inserts it into `context`, if there is one.
  ///
  /// Without a context the object has the model's default values and is not tracked until it is
  /// inserted.
  // Not `__shared`, although the arguments are only read: an override receives them as owned, and
  // the compiler would let it release references that no caller has retained.
  public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    layout = entity.layout
    super.init()
    noteObservability()
    context?.insert(self)
  }

  /// Makes an object of the entity of this class and inserts it into `context`.
  ///
  /// The entity is looked up by class in the context's model first. Stops the program if no entity
  /// names the class.
  public convenience init(context: NSManagedObjectContext) {
    self.init(entity: context.entity(for: Self.self), insertInto: context)
  }

  deinit {
    // Sound: a registry lives as long as it has a member, and owns the spaces of its members.
    if let registryReference {
      spaceReference?._withUnsafeGuaranteedRef { $0.usage?.end(packed) }
      registryReference._withUnsafeGuaranteedRef { $0.leave(self, packed: packed) }
    } else {
      spaceReference?.release()
    }
  }

  /// Whether the object is in the state that an initializer without a context leaves.
  final var isBlank: Bool {
    packed == .none && spaceReference == nil && registryReference == nil && readRow == nil
      && ownRow == nil && event.isNone && relations == nil && rosterPlace == 0
  }

  // MARK: - Values

  /// The current values: the sealed snapshot itself, or an unsealed copy with edits; nil for a
  /// fault whose row has not been read.
  @inline(__always)
  final var current: Row? {
    get { ownRow ?? readRow }
    set { ownRow = newValue === readRow ? nil : newValue }
  }

  /// Unretained `current`; valid until `current` or `snapshot` is next assigned, or the object
  /// freed.
  @inline(__always)
  final var currentReference: Unmanaged<Row>? {
    if let ownRow { return .passUnretained(ownRow) }
    return readRow.map(Unmanaged.passUnretained)
  }

  /// Unretained `snapshot`; valid until `snapshot` is next assigned, or the object freed.
  @inline(__always)
  final var snapshotReference: Unmanaged<Row>? { readRow.map(Unmanaged.passUnretained) }

  /// The values last read or saved; nil for an object that was never saved. Assigning it keeps the
  /// current values, if there are any.
  @inline(__always)
  final var snapshot: Row? {
    get { readRow }
    set {
      let now = current
      readRow = newValue
      current = now
    }
  }

  /// Drops the snapshot and keeps the current values.
  final func forgetSnapshot() {
    if ownRow == nil { return swap(&readRow, &ownRow) }
    if let readRow { ownRow?.note(version: readRow.version) }
    readRow = nil
  }

  /// Writes a slot of an existing row with edits, without retaining it. Returns false if there is
  /// no such row.
  @inline(__always)
  final func writeInPlace(_ value: Value, slot: Int) -> Bool {
    // Sound: `ownRow` keeps the row alive, and writing a slot does not replace it.
    guard !flags.contains(.fault), let ownRow = ownRow.map(Unmanaged.passUnretained),
      !ownRow._withUnsafeGuaranteedRef({ $0.isSealed })
    else { return false }
    ownRow._withUnsafeGuaranteedRef { $0[slot] = value }
    return true
  }

  /// Seals the row with edits and makes it the snapshot. Returns nil if there is no such row.
  final func sealOwnRow(version: Int64) -> Row? {
    guard !flags.contains(.fault), let row = ownRow, !row.isSealed else { return nil }
    row.resolveIdentities()
    row.seal(packed, inUncounted: spaceReference, version: version)
    swap(&readRow, &ownRow)
    ownRow = nil
    return row
  }

  /// Makes `row` both the snapshot and the current values; nil removes both.
  @inline(__always)
  final func hold(_ row: Row?) {
    readRow = row
    if ownRow != nil { ownRow = nil }
  }

  /// Leaves the current registry and enters `registry` under the identity `packed`.
  final func enter(
    _ registry: ObjectRegistry, packed: PackedIdentity, in space: Unmanaged<IdentitySpace>?
  ) {
    leaveRegistry()
    noteEntry(into: registry, packed, in: space)
    if flags.contains(.observed) { registry.hasObservedObjects = true }
    registry.enter(self, packed: packed)
  }

  /// Sets the identity of an object without a context.
  // Retained because the object has no registry; released by `deinit` or `noteEntry(into:_:in:)`.
  private func take(_ packed: PackedIdentity, in space: IdentitySpace?) {
    self.packed = packed
    spaceReference = space.map(Unmanaged.passRetained)
  }

  /// Makes an object that no context contains, like those that `reset()` leaves: a fault whose
  /// values are nil.
  static func gone(_ identity: NSManagedObjectID) -> NSManagedObject {
    let object = identity.layout.objectClass.make(identity.layout)
    object.flags.insert(.fault)
    object.take(identity.packed, in: identity.space)
    return object
  }

  /// Updates the object's references for `registry`, which already contains the object.
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
    // Without a registry the object owns its space. Sound: the registry lives until its last member
    // has left.
    _ = spaceReference?.retain()
    registryReference = nil
    registry._withUnsafeGuaranteedRef { $0.leave(self, packed: packed) }
  }

  /// The ID of the object; temporary until the first save.
  open var objectID: NSManagedObjectID {
    .of(packedIdentity, layout: layout, in: space)
  }

  /// The ID in 64 bits.
  final var packedIdentity: PackedIdentity {
    if packed == .none { packed = .nextTemporary(layout) }
    return packed
  }

  /// The ID under which stores and other contexts now know the object: permanent after the first
  /// save.
  final var resolvedIdentity: PackedIdentity {
    packedIdentity.isTemporary ? objectID.resolved.packed : packed
  }

  /// The entity of the object.
  open var entity: NSEntityDescription { layout.entity }

  /// The context of the object; nil once the context is freed or reset, or has saved the object's
  /// deletion.
  open var managedObjectContext: NSManagedObjectContext? { registry?.context }

  /// Whether the object was inserted and not saved since.
  open var isInserted: Bool { lifecycle == .inserted }

  /// Whether the object is in the store and has unsaved changes, or changes that its context has
  /// posted.
  open var isUpdated: Bool { lifecycle == .live && flags.contains(.updated) }

  /// Whether the object was deleted and the deletion not saved since.
  open var isDeleted: Bool { lifecycle.isDeleted }

  /// Whether the object was inserted, updated or deleted since the last save.
  open var hasChanges: Bool { isInserted || isUpdated || lifecycle == .deleted }

  /// Whether the object has not read its values yet; the store's row may already be in memory.
  open var isFault: Bool { flags.contains(.fault) }

  /// 1 while the object is a fault, 0 otherwise.
  open var faultingState: Int { isFault ? 1 : 0 }

  /// Whether changes of properties outside of the model leave the object unchanged; true by
  /// default.
  open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

  /// A fetch request for the objects of this class, with an unspecified result type.
  @_disfavoredOverload
  open class func fetchRequest() -> NSFetchRequest<NSFetchRequestResult> {
    NSFetchRequest(entityName: entity().name ?? "")
  }

  // MARK: - Changes

  /// The values that a save would write: those that differ from the last saved or fetched values.
  /// Transient properties are left out. An empty to-one relationship is `NSNull`.
  open func changedValues() -> [String: Any] {
    unsavedValues()
  }

  /// Whether a save would write anything for this object.
  open var hasPersistentChangedValues: Bool {
    hasValuesToSave
  }

  /// The values at the last save or fetch, of all properties or of the named ones. `NSNull` stands
  /// for nil. To-many relationships are included only if named. An object that was never saved has
  /// no committed values.
  open func committedValues(forKeys keys: [String]?) -> [String: Any] {
    savedValues(keys)
  }

  /// The *old* values of the properties that the current event has changed.
  ///
  /// The event begins after the context's last ObjectsDidChange notification; while a notification
  /// is posted, the event is the one that it reports. Transient properties are left out; nil is
  /// `NSNull`.
  open func changedValuesForCurrentEvent() -> [String: Any] {
    valuesBeforeEvent()
  }

  /// Whether the members of a relationship have not been read yet. Reads nothing.
  open func hasFault(forRelationshipNamed key: String) -> Bool {
    hasUnreadMembers(key)
  }

  /// The IDs of a relationship's objects, without making the objects.
  open func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
    memberIdentities(key)
  }

  // MARK: - For subclasses

  /// Called when the first value of a fetched object is read. Changes made here are not tracked. Do
  /// not change relationships here.
  open func awakeFromFetch() {}

  /// Called once in an object's life, after its first insertion, when the defaults are set.
  open func awakeFromInsert() {}

  /// Called after undo, redo, rollback, refresh or a merge policy has set values.
  open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}

  /// Called by `delete`, before the delete rules are applied: all relationships are still intact.
  open func prepareForDeletion() {}

  /// Called before a save writes or deletes the object. Changes made here are saved too, and make
  /// the context call the method again: use primitive values, or change only if needed.
  open func willSave() {}

  /// Called after a save has written the object.
  open func didSave() {}

  /// Called before the object becomes a fault, with its values still there.
  open func willTurnIntoFault() {}

  /// Called after the object has become a fault, when its values are gone.
  open func didTurnIntoFault() {}

  // MARK: - Key-value coding

  /// The value of a property: from the class's registered getter, otherwise from the model's
  /// storage. A getter that reads its own key gets the stored value.
  ///
  /// Numbers are returned as `NSNumber`, to-many relationships as a set of objects.
  open func value(forKey key: String) -> Any? {
    if let answer = AccessorCalls.answer(self, key: key) { return answer }
    guard let place = layout.place(of: key) else {
      if let recorded = recordedKey(key) { return recorded.value }
      if let answer = NamedAccess.value(of: self, forKey: key) { return answer }
      return builtInValue(forKey: key) ?? value(forUndefinedKey: key)
    }
    if let recorded = recordedAccess(place, key: key) { return recorded.value }
    return modelledValue(place)
  }

  /// Sets the value of a property, as a tracked edit: by the class's registered setter, otherwise
  /// in the model's storage. A setter that sets its own key sets the stored value.
  open func setValue(_ value: Any?, forKey key: String) {
    if NamedAccess.set(value, of: self, forKey: key) == .done { return }
    if AccessorCalls.set(value, object: self, key: key) { return }
    guard let place = layout.place(of: key) else {
      return setValue(value, forUndefinedKey: key)
    }
    setModelledValue(value, place: place, tracked: true)
  }

  /// Sets the property at the end of a key path. Does nothing if an object on the path is nil.
  ///
  /// A path into a composite attribute sets that element and keeps the others.
  open func setValue(_ value: Any?, forKeyPath keyPath: String) {
    setValueAlongPath(value, keyPath: keyPath)
  }

  /// Stops the program: no property has this name. Override it to support further keys.
  open func value(forUndefinedKey key: String) -> Any? {
    fatalError(undefinedKeyText(key))
  }

  /// Stops the program: no property has this name. Override it to support further keys.
  open func setValue(_ value: Any?, forUndefinedKey key: String) {
    fatalError(undefinedKeyText(key))
  }

  /// Sets the property to nil. Override it for keys whose value must not be nil.
  open func setNilValueForKey(_ key: String) { setValue(nil, forKey: key) }

  /// The stored value of a property; bypasses accessors and change tracking.
  open func primitiveValue(forKey key: String) -> Any? {
    if let recorded = recordedKey(key) { return recorded.value }
    guard let place = layout.place(of: key) else { return value(forUndefinedKey: key) }
    return modelledValue(place)
  }

  /// Sets the stored value of a property without notifying the context.
  open func setPrimitiveValue(_ value: Any?, forKey key: String) {
    guard let place = layout.place(of: key) else {
      return setValue(value, forUndefinedKey: key)
    }
    setModelledValue(value, place: place, tracked: false)
  }

  /// Fires the fault. Call it before ``primitiveValue(forKey:)`` in custom accessors.
  open func willAccessValue(forKey key: String?) {
    if let key, recordedKey(key) != nil { return }
    fireFault()
  }

  /// Does nothing. Call it after ``primitiveValue(forKey:)`` in custom accessors.
  open func didAccessValue(forKey key: String?) {}

  // MARK: - Key-value observing

  /// Notifies the context and observers that a property is about to change. Call it before
  /// ``setPrimitiveValue(_:forKey:)`` in custom accessors.
  open func willChangeValue(forKey key: String) {
    announceChange(key)
    noteEdit()
  }

  /// Notifies observers that a property has changed. Call it after ``setPrimitiveValue(_:forKey:)``
  /// in custom accessors.
  open func didChangeValue(forKey key: String) { reportChange(key) }

  /// Notifies the context and observers that an unordered to-many relationship is about to change
  /// by `objects`.
  open func willChangeValue(
    forKey key: String, withSetMutation kind: NSKeyValueSetMutationKind,
    using objects: Set<AnyHashable>
  ) {
    announceChange(key) {
      PropertyChange(kind, objects: objects, members: self.observedMembers(key))
    }
    noteEdit()
  }

  /// Notifies observers that an unordered to-many relationship has changed by `objects`.
  open func didChangeValue(
    forKey key: String, withSetMutation kind: NSKeyValueSetMutationKind,
    using objects: Set<AnyHashable>
  ) { reportChange(key) }

  /// Notifies the context and observers that an ordered relationship is about to change at
  /// `indexes`: those of the old members, or of new ones after the change.
  open func willChange(
    _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String
  ) {
    announceChange(key) { self.change(changeKind, at: indexes, key: key) }
    noteEdit()
  }

  /// Notifies observers that an ordered relationship has changed at `indexes`.
  open func didChange(
    _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String
  ) { reportChange(key) }

  /// Called when an object observed by this one changes; does nothing by default.
  open func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {}

  /// The key paths that the value of a property depends on: a change of one notifies the property's
  /// observers. Override it for computed properties, and call `super` for other keys. The default
  /// returns the result of the class's method `keyPathsForValuesAffecting<Key>`, if it has one.
  open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    NamedMembers.keyPathsAffecting(key, of: self)
  }

  /// The entity of this class, looked up by class name in the models in use.
  ///
  /// If no model names the class, writes an error to standard error and returns an entity without a
  /// name; objects of such a class cannot be made.
  open class func entity() -> NSEntityDescription { LoadedModels.claimedEntity(of: Self.self) }

  /// The value of a property, as `value(forKey:)` and `setValue(_:forKey:)` access it.
  open subscript(key: String) -> Any? {
    get { value(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  // MARK: - Validation

  /// Checks a value against the rules of its property. Override it to add rules.
  ///
  /// - Throws: a Cocoa error with a validation code.
  open func validateValue(_ value: inout Any?, forKey key: String) throws {
    guard Self.validatesByPointer else { return try checkValue(&value, key: key) }
    let boxed = value.map { $0 as AnyObject }
    let pointer = AutoreleasingUnsafeMutablePointer<AnyObject?>(boxed)
    try validateValue(pointer, forKey: key)
    if pointer.pointee !== boxed { value = pointer.pointee }
  }

  /// Checks a value in the form of Apple's method, for classes that override that form. Override
  /// only one of the two.
  ///
  /// - Throws: a Cocoa error with a validation code.
  open func validateValue(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
  ) throws {
    var now: Any? = value.pointee
    try checkValue(&now, key: key)
    if now as AnyObject? !== value.pointee { value.pointee = now.map { $0 as AnyObject } }
  }

  /// Checks a value of the optional object type, as Apple's method accepts it.
  ///
  /// - Throws: a Cocoa error with a validation code.
  public final func validateValue(_ value: inout AnyObject?, forKey key: String) throws {
    var any: Any? = value
    try validateValue(&any, forKey: key)
    if any as AnyObject? !== value { value = any.map { $0 as AnyObject } }
  }

  private func checkValue(_ value: inout Any?, key: String) throws {
    if let validated = try NamedAccess.validate(value, of: self, forKey: key) { value = validated }
    try checkRules(of: key, value)
  }

  /// Checks every property before a new object is saved.
  ///
  /// - Throws: a Cocoa error with a validation code; one for several errors if there are several.
  open func validateForInsert() throws { try checkAllRules() }

  /// Checks every property before a changed object is saved.
  ///
  /// - Throws: a Cocoa error with a validation code; one for several errors if there are several.
  open func validateForUpdate() throws { try checkAllRules() }

  /// Checks the relationships with the delete rule Deny before a deletion is saved.
  ///
  /// - Throws: a Cocoa error with the code of a denied deletion; one for several errors if there
  ///   are several.
  open func validateForDelete() throws { try checkDeleteRules() }

  /// A hash of the object's address. Final: contexts rely on identity, and Apple's documentation
  /// forbids overriding it.
  public final override var hash: Int {
    Int(bitPattern: Unmanaged.passUnretained(self).toOpaque()) >> 4
  }

  /// Whether `object` is this very object; see ``hash``.
  public final override func isEqual(_ object: Any?) -> Bool {
    // Faster than a cast: sets compare many objects. Only addresses are compared; the box keeps its
    // object alive.
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

  /// Property names with "nil" or "…": stored values must not appear in logs.
  private func changedOrAllValuesForDescription() -> String {
    guard let current else { return "{}" }
    let parts = layout.slots.indices.map { slot in
      "\(layout.slots[slot].name) = \(current[slot].isNull ? "nil" : "…")"
    }
    return "{\(parts.joined(separator: "; "))}"
  }
}

/// The reasons for calling ``NSManagedObject/awake(fromSnapshotEvents:)``.
public struct NSSnapshotEventType: OptionSet, Sendable {
  /// The bits of the reasons.
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// An insertion was undone.
  public static let undoInsertion = NSSnapshotEventType(rawValue: 2)
  /// A deletion was undone.
  public static let undoDeletion = NSSnapshotEventType(rawValue: 4)
  /// An update was undone.
  public static let undoUpdate = NSSnapshotEventType(rawValue: 8)
  /// The context was rolled back.
  public static let rollback = NSSnapshotEventType(rawValue: 16)
  /// The object was refreshed.
  public static let refresh = NSSnapshotEventType(rawValue: 32)
  /// A merge policy has set values.
  public static let mergePolicy = NSSnapshotEventType(rawValue: 64)
}

extension NSManagedObject: NSFetchRequestResult {}
