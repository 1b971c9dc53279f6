import KeyValueCoding
import Predicates

extension EntityLayout {
  /// Reads the slots of managed objects of this entity for a compiled predicate; everything but a
  /// property with a slot goes through key-value coding.
  var objectReader: KeyPathReader {
    { [self] path in
      slot(of: path).map { slot in
        { object in (object as! NSManagedObject).typedValue(inSlot: slot) }
      }
    }
  }
}
