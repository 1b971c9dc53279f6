extension NSManagedObjectContext {
  final func known(_ objectID: NSManagedObjectID) -> NSManagedObject? {
    assertConfined()
    takeOverPermanentIDs()
    return registered(objectID) ?? ownIdentity(objectID).flatMap { registry.object($0.packed) }
  }

  /// The object that the context has under this very ID: a temporary one may be its own for a while after a
  /// context above has given it another.
  private func registered(_ objectID: NSManagedObjectID) -> NSManagedObject? {
    guard let object = registry.object(objectID.packed), objectID.isOf(object.spaceReference)
    else { return nil }
    return object
  }

  final func knownOrFault(_ objectID: NSManagedObjectID) -> NSManagedObject {
    assertConfined()
    takeOverPermanentIDs()
    if let object = registered(objectID) { return object }
    guard let identity = ownIdentity(objectID) else { return .gone(objectID.resolved) }
    if let object = registry.object(identity.packed) { return object }
    let object = makeFault(identity)
    if identity.space?.usage != nil, ReadingContext.current == nil {
      rootCoordinator?.announceUsage()
    }
    return object
  }

  /// The object with this ID, or a fault; nil for a temporary ID that neither this context has nor one above.
  final func found(_ objectID: NSManagedObjectID) -> NSManagedObject? {
    if let object = known(objectID) { return object }
    let identity = objectID.resolved
    return identity.isTemporaryID ? object(for: identity.packed) : knownOrFault(identity)
  }

  final func readObject(_ objectID: NSManagedObjectID) throws -> NSManagedObject {
    assertConfined()
    takeOverPermanentIDs()
    guard let identity = ownIdentity(objectID) else { throw CoreDataError.missingObject(objectID) }
    if let object = registered(objectID) ?? registry.object(identity.packed), object.current != nil
    {
      if object.lifecycle.isDeleted { throw CoreDataError.missingObject(identity) }
      object.fireFault()
      return object
    }
    guard let row = try source?.row(of: identity) else {
      throw CoreDataError.missingObject(identity)
    }
    let object = object(for: row)
    object.fireFault()
    return object
  }

  package final func registeredObject(_ packed: PackedIdentity) -> NSManagedObject? {
    registry.object(packed)
  }

  /// The object, registered or as a fault; nil when it was never saved and is gone, or its store is.
  package final func object(for packed: PackedIdentity) -> NSManagedObject? {
    if let object = registry.object(packed) { return object }
    return identity(of: packed).map(makeFault)
  }

  /// The ID of an object of this context, of its parent, or of a store; nil when there is none.
  package final func identity(of packed: PackedIdentity) -> NSManagedObjectID? {
    if let object = registry.object(packed) { return object.objectID }
    guard packed.isTemporary else { return rootCoordinator?.identity(packed) }
    return parent?.confinement.performAndWait { parent?.identity(of: packed) }
  }

  /// The ID as this context's coordinator knows it: a saved temporary one has become permanent, and
  /// one of another coordinator on the same store is found by its URI. nil when no store here has it: another
  /// store's objects may well have the same 64 bits.
  final func ownIdentity(_ identity: NSManagedObjectID) -> NSManagedObjectID? {
    let identity = identity.resolved
    guard identity.space != nil, let coordinator = rootCoordinator else { return identity }
    return coordinator.ownIdentity(identity)
  }

  // MARK: - Making objects

  private func makeFault(
    _ format: UnsafePointer<RowFormat>, _ packed: PackedIdentity,
    _ space: Unmanaged<IdentitySpace>?
  ) -> NSManagedObject {
    let object = makeUnregisteredFault(format)
    register(object, packed, space)
    return object
  }

  private func makeUnregisteredFault(_ format: UnsafePointer<RowFormat>) -> NSManagedObject {
    let object = format.pointee.layout._withUnsafeGuaranteedRef { $0.objectClass.make($0) }
    object.flags.insert(.fault)
    object.lifecycle = .live
    return object
  }

  private func makeFault(_ identity: NSManagedObjectID) -> NSManagedObject {
    makeFault(
      identity.layout.format, identity.packed, identity.space.map(Unmanaged.passUnretained))
  }

  /// Enters an object under its identity.
  final func register(
    _ object: NSManagedObject, _ packed: PackedIdentity, _ space: IdentitySpace?
  ) {
    register(object, packed, space.map(Unmanaged.passUnretained))
  }

  private func register(
    _ object: NSManagedObject, _ packed: PackedIdentity, _ space: Unmanaged<IdentitySpace>?
  ) {
    object.enter(registry, packed, in: space)
    noteRegistration(object)
  }

  private func noteRegistration(_ object: NSManagedObject) {
    object.spaceReference?._withUnsafeGuaranteedRef { $0.usage?.begin(object.packed) }
    if retainsRegisteredObjects { retainedObjects.insert(object) }
  }

  /// The object of a row: the registered one, which keeps what it has, or a new fault that holds it.
  final func object(for row: Row) -> NSManagedObject {
    let packed = row.packed
    let object = registry.object(packed) ?? makeFault(row.format, packed, row.spaceReference)
    object.adopt(row)
    return object
  }

  /// The same for many rows, a batch at a time: what a row and its object need is still in the processor's cache
  /// then, and the table is locked twice for all of them, not while a class's initialiser runs.
  ///
  /// An array that nobody else has gives its rows away: counting each row and object at each step would cost more
  /// than the steps.
  ///
  /// - Parameter areNew: Whether the context is known to have no object of these rows: none is looked for then.
  final func objects(for rows: consuming [Row], areNew: Bool = false) -> [NSManagedObject] {
    let count = rows.count
    // The array of nothing is one for all threads, and filling it would write to it.
    if count == 0 { return [] }
    let areNew = areNew || registry.isEmpty
    registry.expect(count)
    // A row that has been given away is nil.
    var rows = unsafeBitCast(consume rows, to: [Row?].self)
    return rows.withUnsafeMutableBufferPointer { rows in
      rows.withMemoryRebound(to: Unmanaged<Row>?.self) { rows in
        [NSManagedObject](unsafeUninitializedCapacity: count) { objects, initialized in
          objects.withMemoryRebound(to: Unmanaged<NSManagedObject>?.self) { objects in
            for start in stride(from: 0, to: count, by: 256) {
              let batch = start..<min(start + 256, count)
              makeObjects(
                UnsafeMutableBufferPointer(rebasing: objects[batch]),
                of: UnsafeMutableBufferPointer(rebasing: rows[batch]), areNew: areNew)
            }
          }
          initialized = count
        }
      }
    }
  }

  /// Fills `objects`, each of them counted once.
  private func makeObjects(
    _ objects: UnsafeMutableBufferPointer<Unmanaged<NSManagedObject>?>,
    of rows: UnsafeMutableBufferPointer<Unmanaged<Row>?>, areNew: Bool
  ) {
    if areNew {
      objects.initialize(repeating: nil)
    } else {
      registry.inBatch { table in
        for index in rows.indices {
          let known = table.object(for: rows[index].packed.bits)
          objects.initializeElement(at: index, to: known.map(Unmanaged.passRetained))
        }
      }
    }
    for index in rows.indices where objects[index] == nil {
      objects[index] = .passRetained(makeUnregisteredFault(rows[index].format))
    }
    enterNew(objects, rows)
    let isNoted = retainsRegisteredObjects
    for index in rows.indices {
      objects[index].unsafelyUnwrapped._withUnsafeGuaranteedRef { object in
        if object.registryReference == nil { note(object, rows[index], retaining: isNoted) }
        guard object.flags.contains(.fault), object.currentReference == nil else { return }
        object.hold(rows[index].take()?.takeRetainedValue())
      }
    }
  }

  /// Should two rows be of one object, the first one's is the object.
  private func enterNew(
    _ objects: UnsafeMutableBufferPointer<Unmanaged<NSManagedObject>?>,
    _ rows: UnsafeMutableBufferPointer<Unmanaged<Row>?>
  ) {
    var twins: [Unmanaged<NSManagedObject>] = []
    registry.inBatch { table in
      for index in rows.indices {
        let new = objects[index].unsafelyUnwrapped
        new._withUnsafeGuaranteedRef { object in
          guard object.registryReference == nil,
            let known = table.insertIfNone(object, for: rows[index].packed.bits)
          else { return }
          twins.append(new)
          objects[index] = .passRetained(known)
        }
      }
    }
    for twin in twins { twin.release() }
  }

  @inline(__always)
  private func note(_ object: NSManagedObject, _ row: Unmanaged<Row>?, retaining: Bool) {
    object.noteEntry(into: registry, row.packed, in: row.space)
    row.space?._withUnsafeGuaranteedRef { $0.usage?.begin(row.packed) }
    if retaining { retainedObjects.insert(object) }
  }

  /// The objects of a part of a list, in its order; what has no values yet is read at once. Those that are gone,
  /// as ``object(for:)-(PackedIdentity)`` says, are left out.
  final func objects(_ identities: ArraySlice<PackedIdentity>) throws -> [NSManagedObject] {
    assertConfined()
    takeOverPermanentIDs()
    let known = registry.objects(identities)
    let unread = zip(identities, known).compactMap { packed, object in
      packed.isTemporary || object.map { !$0.isFault || $0.currentReference != nil } ?? false
        ? nil : packed
    }
    if unread.isEmpty { return identities.compactMap { object(for: $0) } }
    guard let rows = try source?.rows(of: unread) else {
      let objects = identities.compactMap { object(for: $0) }
      try fillFaultsAtOnce(objects)
      return objects
    }
    let read = objects(for: rows, areNew: unread.count == identities.count)
    if read.areObjects(of: identities) { return read }
    return withExtendedLifetime((known, read)) {
      zip(identities, registry.objects(identities)).compactMap { $1 ?? object(for: $0) }
    }
  }

  /// Takes an object out of the context for good.
  final func unregister(_ object: NSManagedObject) {
    object.space?.usage?.end(object.packed)
    if !retainedObjects.isEmpty { retainedObjects.remove(object) }
    if !assignedStores.isEmpty { assignedStores[object] = nil }
    object.leaveRegistry()
  }

  // MARK: - Firing faults

  /// The newest row of an object: the cached one if somebody holds it, else the store's; nil when there
  /// is none any more. Throws the store's error.
  final func newestRow(of object: NSManagedObject) throws -> Row? {
    if stalenessInterval < 0, let cached = sharedRow(of: object) { return cached }
    guard canRead(object.packedIdentity) else { return nil }
    if let plainCoordinator { return try plainCoordinator.row(of: object) }
    return try source?.row(of: object.objectID)
  }

  /// The newest row that somebody holds.
  final func sharedRow(of object: NSManagedObject) -> Row? {
    guard readsSharedRows, endedRows.isEmpty || !endedRows.contains(object.packedIdentity) else {
      return nil
    }
    return object.cachedRow
  }

  final func storedMembers(
    of object: NSManagedObject, _ relationship: NSRelationshipDescription
  ) -> [NSManagedObjectID] {
    guard object.lifecycle != .inserted, canRead(object.packedIdentity) else { return [] }
    assertConfined()
    do {
      let members = try source?.members(of: relationship, owner: object.objectID) ?? []
      try readAlong(members, of: object, relationship)
      return members
    } catch {
      handleInaccessibleFault(object, relationship, error)
      return []
    }
  }

  /// More members than these are rarely all looked at.
  private static let mostReadAlong = 10_000

  /// Members that are looked at one by one would be asked for one by one, each in a round trip to a server: their rows are
  /// kept as long as the owner is there.
  private func readAlong(
    _ members: [NSManagedObjectID], of object: NSManagedObject,
    _ relationship: NSRelationshipDescription
  ) throws {
    guard 1...Self.mostReadAlong ~= members.count, readsSharedRows,
      object.space?.store is any ServerStore
    else { return }
    let missing = members.filter { $0.cachedRow == nil }
    let known = members.compactMap(\.cachedRow)
    let read = missing.isEmpty ? [] : try source?.rows(of: missing) ?? []
    object.madeRelations.memberRows[ObjectIdentifier(relationship)] = known + read
  }

  /// What a parent has not saved yet has a temporary ID in its children too; stores know no such IDs.
  private func canRead(_ identity: PackedIdentity) -> Bool {
    parent != nil || !identity.isTemporary
  }

  /// Reads the rows of many faults at once.
  package final func fillFaults(_ objects: [NSManagedObject]) throws {
    let empty = objects.filter { $0.isFault && $0.current == nil && canRead($0.packedIdentity) }
    for object in empty {
      if let row = sharedRow(of: object) { object.adopt(row) }
    }
    let missing = empty.filter { $0.current == nil }
    guard !missing.isEmpty, let source else { return }
    for row in try source.rows(of: missing.map(\.objectID)) {
      registry.object(row.packed)?.adopt(row)
    }
  }

  /// Whether an object is present, and not a fault whose row is gone.
  final func isThere(_ object: NSManagedObject) -> Bool {
    guard object.lifecycle == .live, object.isFault, object.current == nil else {
      return object.lifecycle.isPresent
    }
    // If that fails, so does whoever looks at the object, and says why.
    do { try fillFaults([object]) } catch { return true }
    return object.current != nil
  }

  /// Those of some objects that are present, and no faults whose rows are gone; the rows are read at once.
  package final func present(_ objects: [NSManagedObject]) -> [NSManagedObject] {
    let present = objects.filter { $0.lifecycle.isPresent }
    // If that fails, so does whoever looks at an object, and says why.
    do { try fillFaults(present) } catch { return present }
    return present.filter { $0.lifecycle != .live || !$0.isFault || $0.current != nil }
  }

  /// A fault whose row is gone or cannot be read: the object counts as deleted here, its values as nil,
  /// and no save writes anything of it. A store's error goes to standard error, since a property cannot
  /// throw; it stops the program when there are edits that would be lost.
  final func handleInaccessibleFault(
    _ object: NSManagedObject, _ property: NSPropertyDescription? = nil,
    _ error: (any Error)? = nil
  ) {
    let cause = error.map { "the store failed with \($0)" } ?? "its row is not in the store."
    let text = "could not fulfill a fault for '\(object.objectID)': \(cause)"
    let mayBeDropped = error == nil || !object.hasChanges
    guard mayBeDropped,
      shouldHandleInaccessibleFault(object, for: object.objectID, triggeredByProperty: property)
    else { fatalError("CoreData \(text)") }
    if error != nil { Self.report(text) }
    telling([object]) {
      object.current = Row.empty(object.objectID)
      object.snapshot = nil
      object.flags.insert(.goneFromStore)
      markDeleted(object)
    }
  }

  /// For errors where nothing can be thrown.
  static func report(_ text: String) {
    FileHandle.standardError.write(Data("CoreData: error: \(text)\n".utf8))
  }

  /// For what goes on in another way than asked for.
  static func warn(_ text: String) {
    FileHandle.standardError.write(Data("CoreData: warning: \(text)\n".utf8))
  }

  /// A property cannot throw; Apple's raises an exception here.
  final func trappingReadErrors<Result>(
    _ what: @autoclosure () -> String, _ read: () throws -> Result
  ) -> Result {
    do { return try read() } catch { fatalError("CoreData could not read \(what()): \(error)") }
  }
}
