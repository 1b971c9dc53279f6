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

  /// Returns whether a key path consists of to-one relationships only.
  func leadsToOneValue(_ keyPath: String) -> Bool {
    !keyPath.contains("@") && !RowAggregate.crossesMembers(keyPath, self)
  }
}

extension NSManagedObject: SlottedObject, RelatedObject {
  package final var slotLayout: any SlotLayout { layout }

  package final func leadsToOneValue(_ keyPath: String) -> Bool { layout.leadsToOneValue(keyPath) }
}
