import KeyValueCoding
import Predicates

extension EntityLayout: SlotLayout {
  /// Reads the slots of managed objects of this entity for a compiled predicate; everything but a
  /// property with a slot goes through key-value coding.
  package var objectReader: KeyPathReader {
    { [self] path in
      slot(of: path).map { slot in
        { object in (object as! NSManagedObject).typedValue(inSlot: slot) }
      }
    }
  }
}

extension NSManagedObject: SlottedObject {
  package final var slotLayout: any SlotLayout { layout }
}
