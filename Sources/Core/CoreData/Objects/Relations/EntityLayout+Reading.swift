import KeyValueCoding
import Predicates

extension EntityLayout: SlotLayout {
  /// Reads slots of managed objects of this entity for a compiled predicate. All other key paths
  /// use key-value coding.
  package var objectReader: KeyPathReader {
    { [self] path in
      guard let slot = slot(of: path) else { return nil }
      // Sound: predicates read only the evaluated objects with it, which are managed objects.
      return { unsafeDowncast($0, to: NSManagedObject.self).typedValue(inSlot: slot) }
    }
  }
}

extension NSManagedObject: SlottedObject, RelatedObject {
  package final var slotLayout: any SlotLayout { layout }

  package final func leadsToOneValue(_ keyPath: String) -> Bool { layout.leadsToOneValue(keyPath) }
}

extension NSManagedObject {
  /// The value of a slot, unboxed. A fault whose row is already there is not fired.
  final func typedValue(inSlot slot: Int) -> TypedValue {
    // Sound: this object keeps the row alive, and reading a row does not replace it.
    if let row = currentReference {
      return row._withUnsafeGuaranteedRef { row in
        if let text = row.plainText(slot) { return .string(text) }
        return TypedValue(row[slot], isDate: layout.isDate(slot))
      }
    }
    return TypedValue(read(slot), isDate: layout.isDate(slot))
  }
}
