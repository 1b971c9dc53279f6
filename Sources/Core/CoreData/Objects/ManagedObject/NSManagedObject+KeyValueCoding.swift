import KeyValueCoding

extension NSManagedObject {
  /// The boxed value of a property of the model, as key-value coding returns it.
  final func modelledValue(_ place: EntityLayout.Place) -> Any? {
    switch place {
    case .slot(let slot):
      let value = read(slot)
      guard case .attribute(let type) = layout.slots[slot].kind else { return destination(slot) }
      return value.boxed(type)
    case .composite(let index):
      return layout.compositeValue(index) { read($0) }
    case .toMany(let index):
      let objects = memberObjects(index)
      return layout.toMany[index].isOrdered
        ? NSOrderedSet(array: objects) as Any : NSSet(array: objects)
    case .fetched(let index):
      return fetchedPropertyValue(index)
    }
  }

  final func setModelledValue(_ value: Any?, place: EntityLayout.Place, tracked: Bool) {
    if flags.contains(.observed), !tracked {
      return changingSilently(place) { setUnwrapped(value, place: place, tracked: false) }
    }
    setUnwrapped(value, place: place, tracked: tracked)
  }

  private func setUnwrapped(_ value: Any?, place: EntityLayout.Place, tracked: Bool) {
    let value = value.flatMap(Value.unwrapped)
    switch place {
    case .slot(let slot):
      setSlot(value, slot: slot, tracked: tracked)
    case .composite(let index):
      setComposite(value, index: index, tracked: tracked)
    case .toMany(let index):
      setMembers(Self.objects(in: value, layout.toMany[index]), index: index)
    case .fetched(let index):
      fatalError("The fetched property “\(layout.fetched[index].name)” cannot be set")
    }
  }

  /// Sets the value at the end of a key path. A composite attribute's value is a dictionary, whose
  /// elements cannot be set: so the object that has the attribute is found and the element set
  /// there.
  final func setValueAlongPath(_ value: Any?, keyPath: String) {
    guard let dot = keyPath.firstIndex(of: ".") else { return setValue(value, forKey: keyPath) }
    if let element = layout.place(of: keyPath) {
      return setModelledValue(value, place: element, tracked: true)
    }
    let head = String(keyPath[..<dot])
    guard let slot = layout.slot(of: head), layout.slots[slot].kind == .toOne else {
      return trapping { try ValuePath(keyPath).setValue(value, of: self) }
    }
    let next = self.value(forKey: head) as? NSManagedObject
    next?.setValue(value, forKeyPath: String(keyPath[keyPath.index(after: dot)...]))
  }

  /// Sets an attribute or a to-one relationship. Stops the program if the property cannot hold the
  /// value.
  final func setSlot(_ value: Any?, slot: Int, tracked: Bool) {
    let description = layout.slots[slot]
    guard case .attribute(let type) = description.kind else {
      return setDestination(object(in: value, description), slot: slot)
    }
    let stored = acceptable { try Value(value, type: type, name: description.name) }
    if tracked { write(stored, slot: slot) } else { writePrimitive(stored, slot: slot) }
  }

  /// Sets a composite attribute. Elements that the dictionary does not contain become nil.
  private func setComposite(_ value: Any?, index: Int, tracked: Bool) {
    let values = acceptable({ try layout.slotValues(of: value, composite: index) })
    if flags.contains(.observed), tracked {
      return changing(.composite(index)) {
        for (slot, value) in values { write(value, slot: slot) }
      }
    }
    for (slot, value) in values {
      if tracked { write(value, slot: slot) } else { writePrimitive(value, slot: slot) }
    }
  }

  /// The result of `make`. Stops the program on an error: a setter cannot throw, and an
  /// unacceptable value is a programming error.
  private func acceptable<Result>(_ make: () throws -> Result) -> Result {
    do { return try make() } catch let error as UnacceptableValue {
      fatalError(error.text)
    } catch {
      fatalError("\(error)")
    }
  }

  private func object(in value: Any?, _ slot: EntityLayout.Slot) -> NSManagedObject? {
    guard let value, !(value is NSNull) else { return nil }
    guard let object = value as? NSManagedObject else {
      fatalError(
        "Unacceptable type of value for to-one relationship: property = \"\(slot.name)\"; "
          + "desired type = NSManagedObject; given type = \(type(of: value)).")
    }
    return object
  }

  /// The objects of a collection of any supported type that a client sets.
  static func objects(
    in value: Any?, _ relationship: NSRelationshipDescription
  ) -> [NSManagedObject] {
    switch value {
    case nil, is NSNull: return []
    case let set as NSSet: return set.allObjects.compactMap { $0 as? NSManagedObject }
    case let set as NSOrderedSet: return set.array.compactMap { $0 as? NSManagedObject }
    case let set as Set<NSManagedObject>: return Array(set)
    case let array as [NSManagedObject]: return array
    case let array as NSArray: return array.compactMap { $0 as? NSManagedObject }
    default:
      fatalError(
        "Unacceptable type of value for to-many relationship: property = "
          + "\"\(relationship.name)\"; desired type = NSSet; given type = \(type(of: value!)).")
    }
  }

  /// The value in the model's storage, without calling accessors of the class.
  public final func primitiveModelledValue(forKey key: String) -> Any? {
    layout.place(of: key).flatMap(modelledValue)
  }
}

extension NSManagedObject: KeyValueCodable, KeyPathProbe, ComparedByIdentity {
  package final var comparedIdentity: AnyObject { objectID }
  package final var isIdentitySettled: Bool { !packedIdentity.isTemporary }
}
