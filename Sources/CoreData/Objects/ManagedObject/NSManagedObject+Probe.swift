extension NSManagedObject {
  /// A probe: a fault of no context that writes down which keys it is asked for.
  package class func makeProbe(recorder: KeyRecorder) -> AnyObject? {
    guard let entity = LoadedModels.entity(for: Self.self) else { return nil }
    return makeProbe(entity, recorder)
  }

  private static func makeProbe(
    _ entity: NSEntityDescription, _ recorder: KeyRecorder
  ) -> NSManagedObject {
    let probe = entity.layout.objectClass.make(entity, nil)
    probe.flags.formUnion([.fault, .probe])
    let registry = ObjectRegistry()
    registry.recorder = recorder
    probe.enter(registry, probe.packedIdentity, in: nil)
    return probe
  }

  /// For a probe: the key is written down, and a to-one relationship answers with a further probe.
  /// nil for every other object.
  @inline(__always)
  final func recordedAccess(_ place: EntityLayout.Place, _ key: String) -> (value: Any?, Void)? {
    flags.contains(.probe) ? recorded(place, key) : nil
  }

  @inline(never)
  private func recorded(_ place: EntityLayout.Place, _ key: String) -> (value: Any?, Void)? {
    guard let recorder = registry?.recorder else { return nil }
    return (record(place, key, recorder), ())
  }

  private func record(
    _ place: EntityLayout.Place, _ key: String, _ recorder: KeyRecorder
  ) -> Any? {
    recorder.record(key)
    guard case .slot(let slot) = place, case .toOne = layout.slots[slot].kind,
      let relationship = layout.slots[slot].property as? NSRelationshipDescription,
      let destination = relationship.destinationEntity
    else { return nil }
    return Self.makeProbe(destination, recorder)
  }

  /// The properties that every managed object has beside its model's.
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
