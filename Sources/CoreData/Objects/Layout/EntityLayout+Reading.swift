import KeyValueCoding
import Predicates

extension EntityLayout: SlotLayout {
  /// Reads the slots of managed objects of this entity for a compiled predicate; everything but a
  /// property with a slot goes through key-value coding.
  package var objectReader: KeyPathReader {
    { [self] path in
      guard let slot = slot(of: path) else { return nil }
      // Sound because only an object with slots has a layout, and no other is compared with it.
      return { unsafeDowncast($0, to: NSManagedObject.self).typedValue(inSlot: slot) }
    }
  }

  package func leadsToOneValue(_ keyPath: String) -> Bool {
    !keyPath.contains("@") && !RowAggregate.crossesMembers(keyPath, self)
  }
}

extension NSManagedObject: SlottedObject {
  package final var slotLayout: any SlotLayout { layout }
}
