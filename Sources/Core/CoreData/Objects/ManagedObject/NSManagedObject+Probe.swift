import Synchronization

extension NSManagedObject {
  /// Makes a probe: a fault without a context that records the keys that are read.
  ///
  /// It has the class's entity if a model in use has one, otherwise an entity with a property of
  /// any name. Returns nil for a class that is not registered.
  package class func makeProbe(recorder: KeyRecorder) -> AnyObject? {
    if let entity = LoadedModels.entity(for: Self.self), entity.layout.objectClass.makes(Self.self)
    {
      return makeProbe(entity, recorder: recorder)
    }
    return ProbeEntities.entity(for: Self.self).map { makeProbe($0, recorder: recorder) }
  }

  private static func makeProbe(
    _ entity: NSEntityDescription, recorder: KeyRecorder
  ) -> NSManagedObject {
    let probe = entity.layout.objectClass.make(entity)
    probe.flags.formUnion([.fault, .probe])
    let registry = ObjectRegistry()
    registry.recorder = recorder
    probe.enter(registry, packed: probe.packedIdentity, in: nil)
    return probe
  }

  /// Records the read of a key by a probe, and returns the probe's value: another probe for a
  /// to-one relationship. Returns nil for all other objects; a read that may be tracked is noted.
  @inline(__always)
  final func recordedAccess(_ place: EntityLayout.Place, key: String) -> (value: Any?, Void)? {
    flags.isDisjoint(with: .readsNoted) ? nil : recorded(place, key: key)
  }

  @inline(never)
  private func recorded(_ place: EntityLayout.Place, key: String) -> (value: Any?, Void)? {
    if flags.contains(.observable) { noteRead(key) }
    guard let recorder = registry?.recorder else { return nil }
    return (record(place, key: key, recorder: recorder), ())
  }

  private func record(
    _ place: EntityLayout.Place, key: String, recorder: KeyRecorder
  ) -> Any? {
    recorder.record(key)
    guard case .slot(let slot) = place, case .toOne = layout.slots[slot].kind,
      let relationship = layout.slots[slot].property as? NSRelationshipDescription,
      let destination = relationship.destinationEntity
    else { return nil }
    return Self.makeProbe(destination, recorder: recorder)
  }

  /// Records the read of a key by an accessor of the client, which may read it several times: once.
  final func recordedKey(_ key: String) -> (value: Any?, Void)? {
    if flags.contains(.observable) { noteRead(key) }
    guard flags.contains(.probe), let recorder = registry?.recorder else { return nil }
    recorder.recordOnce(key)
    return (nil, ())
  }

  /// The properties of every managed object besides those of its model.
  final func builtInValue(forKey key: String) -> Any? {
    switch key {
    case "self": self
    case "objectID": objectID
    case "entity": entity
    case "isInserted", "inserted": isInserted
    case "isUpdated", "updated": isUpdated
    case "isDeleted", "deleted": isDeleted
    case "hasChanges": hasChanges
    case "isFault", "fault": isFault
    default: nil
    }
  }

  final func undefinedKeyText(_ key: String) -> String {
    "[\(self) valueForUndefinedKey:]: the entity \(layout.entity.name ?? "") is not key value "
      + "coding-compliant for the key \"\(key)\"."
  }
}

/// The entities of probes whose class has no entity in a model in use; one per class.
private enum ProbeEntities {
  private static let entities = Mutex<[ObjectIdentifier: NSEntityDescription]>([:])

  static func entity(for type: NSManagedObject.Type) -> NSEntityDescription? {
    let name =
      type == NSManagedObject.self
      ? "NSManagedObject" : ManagedObjectClasses.registration(of: type)?.name
    guard let name else { return nil }
    return entities.withLock { known in
      let key = ObjectIdentifier(type)
      if let entity = known[key] { return entity }
      let entity = make(className: name)
      known[key] = entity
      return entity
    }
  }

  private static func make(className: String) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = className
    entity.managedObjectClassName = className
    let anything = NSAttributeDescription()
    anything.name = "anything"
    anything.isTransient = true
    anything.isOptional = true
    entity.properties = [anything]
    let layout = EntityLayout(entity: entity, number: 1, rootNumber: 1)
    layout.join([:])
    layout.answersAnyName = true
    entity.layoutStorage = layout
    return entity
  }
}
