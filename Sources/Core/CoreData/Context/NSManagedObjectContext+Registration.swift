extension NSManagedObjectContext {
  final func known(_ objectID: NSManagedObjectID) -> NSManagedObject? {
    assertConfined()
    takeOverPermanentIDs()
    return registered(objectID) ?? ownIdentity(objectID).flatMap { registry.object($0.packed) }
  }

  /// The object registered under exactly this ID, which may be a temporary ID that a context above
  /// has already replaced.
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

  /// The object with this ID, or a fault for it; nil for a temporary ID unknown to this context and
  /// those above.
  final func found(_ objectID: NSManagedObjectID) -> NSManagedObject? {
    if let object = known(objectID) { return object }
    let identity = objectID.resolved
    return identity.isTemporaryID ? object(for: identity.packed) : knownOrFault(identity)
  }

  final func readObject(_ objectID: NSManagedObjectID) throws -> NSManagedObject {
    try checkConfined()
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

  /// The object with this identity, registered or as a new fault; nil if it was never saved and is
  /// gone, or if its store was removed.
  package final func object(for packed: PackedIdentity) -> NSManagedObject? {
    if let object = registry.object(packed) { return object }
    return identity(of: packed).map(makeFault)
  }

  /// The ID of an object of this context, its parent or a store; nil if none has it.
  package final func identity(of packed: PackedIdentity) -> NSManagedObjectID? {
    if let object = registry.object(packed) { return object.objectID }
    guard packed.isTemporary else { return rootCoordinator?.identity(packed) }
    return parent?.confinement.performAndWait { parent?.identity(of: packed) }
  }

  /// The ID of an object as this context's coordinator knows it: a temporary ID of a saved object
  /// is resolved to its permanent ID, an ID of another coordinator of the same store is found by
  /// its URI. nil if no store here has the object: an object of another store may have the same 64
  /// bits.
  final func ownIdentity(_ identity: NSManagedObjectID) -> NSManagedObjectID? {
    let identity = identity.resolved
    guard identity.space != nil, let coordinator = rootCoordinator else { return identity }
    return coordinator.ownIdentity(identity)
  }

  // MARK: - Making objects

  private func makeFault(
    _ format: UnsafePointer<RowFormat>, packed: PackedIdentity,
    space: Unmanaged<IdentitySpace>?
  ) -> NSManagedObject {
    let object = makeUnregisteredFault(format)
    register(object, packed: packed, space: space)
    return object
  }

  private func makeUnregisteredFault(_ format: UnsafePointer<RowFormat>) -> NSManagedObject {
    let object = format.pointee.layout._withUnsafeGuaranteedRef { $0.objectClass.make($0) }
    object.flags.insert(.fault)
    object.lifecycle = .live
    return object
  }

  // Sound: an identity space lives as long as its IDs; the registry retains it as well.
  private func makeFault(_ identity: NSManagedObjectID) -> NSManagedObject {
    makeFault(
      identity.layout.format, packed: identity.packed,
      space: identity.space.map(Unmanaged.passUnretained))
  }

  /// Registers an object under its identity. The registry keeps the identity space alive from then
  /// on.
  final func register(
    _ object: NSManagedObject, packed: PackedIdentity, space: IdentitySpace?
  ) {
    register(object, packed: packed, space: space.map(Unmanaged.passUnretained))
  }

  private func register(
    _ object: NSManagedObject, packed: PackedIdentity, space: Unmanaged<IdentitySpace>?
  ) {
    object.enter(registry, packed: packed, in: space)
    noteRegistration(object)
  }

  private func noteRegistration(_ object: NSManagedObject) {
    object.spaceReference?._withUnsafeGuaranteedRef { $0.usage?.begin(object.packed) }
    if retainsRegisteredObjects { retainedObjects.insert(object) }
  }

  /// The object of a row: the registered object with the values that it has, or a new fault that
  /// holds the row.
  final func object(for row: Row) -> NSManagedObject {
    let packed = row.packed
    let object =
      registry.object(packed) ?? makeFault(row.format, packed: packed, space: row.spaceReference)
    object.adopt(row)
    return object
  }

  /// Makes the objects of many rows, in batches of 256, whose rows and objects stay in the
  /// processor's cache. The table is locked twice per batch, and never while a class's initialiser
  /// runs.
  ///
  /// If the array is not shared, its references to rows move to the objects: retaining and
  /// releasing each row and object at each step would cost more than the steps.
  ///
  /// - Parameter areNew: true if the context is known to have no objects for these rows: skips the
  ///   look-up.
  final func objects(for rows: consuming [Row], areNew: Bool = false) -> [NSManagedObject] {
    let count = rows.count
    // The empty array is shared by all threads, and filling it would write to it.
    if count == 0 { return [] }
    let areNew = areNew || registry.isEmpty
    registry.expect(count)
    // A row whose reference was moved is nil. The casts are sound: a reference, an optional one and
    // an optional `Unmanaged` have the same layout.
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

  /// Fills `objects` with one retained reference each, which the array then owns. `rows` owns its
  /// rows until their references are moved.
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
    enterNew(objects, rows: rows)
    let isNoted = retainsRegisteredObjects
    for index in rows.indices {
      objects[index].unsafelyUnwrapped._withUnsafeGuaranteedRef { object in
        if object.registryReference == nil { note(object, row: rows[index], retaining: isNoted) }
        guard object.flags.contains(.fault), object.currentReference == nil else { return }
        object.hold(rows[index].take()?.takeRetainedValue())
      }
    }
  }

  /// Registers the new objects. If two rows are of one object, the first one's object is used for
  /// both.
  private func enterNew(
    _ objects: UnsafeMutableBufferPointer<Unmanaged<NSManagedObject>?>,
    rows: UnsafeMutableBufferPointer<Unmanaged<Row>?>
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

  // Sound: the caller's array owns the row.
  @inline(__always)
  private func note(_ object: NSManagedObject, row: Unmanaged<Row>?, retaining: Bool) {
    object.noteEntry(into: registry, row.packed, in: row.space)
    row.space?._withUnsafeGuaranteedRef { $0.usage?.begin(row.packed) }
    if retaining { retainedObjects.insert(object) }
  }

  /// The objects of a part of a list, in its order; missing values are read with one query. Objects
  /// that are gone, as in ``object(for:)-(PackedIdentity)``, are left out.
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

  /// Removes an object from the context for good.
  final func unregister(_ object: NSManagedObject) {
    object.space?.usage?.end(object.packed)
    if !retainedObjects.isEmpty { retainedObjects.remove(object) }
    if !assignedStores.isEmpty { assignedStores[object] = nil }
    object.leaveRegistry()
  }

  /// Traps if reading fails, since a property cannot throw; Apple's framework raises an exception
  /// here.
  final func trappingReadErrors<Result>(
    _ what: @autoclosure () -> String, read: () throws -> Result
  ) -> Result {
    do { return try read() } catch { fatalError("CoreData could not read \(what()): \(error)") }
  }
}
