// Rows made of a client store's values, which come by properties of the model.
extension Row {
  /// Sets every stored attribute to the value that `value` returns for it.
  ///
  /// Throws ``UnacceptableValue`` for a value of another type than the attribute's.
  func setAttributes(_ value: (NSAttributeDescription) -> Any?) throws {
    for (index, slot) in layout.slots.enumerated() where slot.isStored && slot.composite == nil {
      guard case .attribute(let type) = slot.kind,
        let attribute = slot.property as? NSAttributeDescription
      else { continue }
      self[index] = try Value(value(attribute), type: type, name: slot.name)
    }
    for (index, composite) in layout.modelledComposites {
      for (slot, element) in try layout.slotValues(of: value(composite), composite: index) {
        self[slot] = element
      }
    }
  }
}

extension EntityLayout {
  /// The composite attributes that are properties of the entity, without those that are elements of
  /// others.
  fileprivate var modelledComposites: [(index: Int, attribute: NSCompositeAttributeDescription)] {
    composites.enumerated().compactMap { index, composite in
      guard !composite.attribute.isTransient, place(of: composite.path) == .composite(index),
        composite.path == composite.attribute.name
      else { return nil }
      return (index, composite.attribute)
    }
  }

  /// The attributes that a store keeps; a composite attribute appears whole, without its elements.
  var storedAttributes: [NSAttributeDescription] {
    let plain = slots.filter { $0.isStored && $0.composite == nil && $0.kind != .toOne }
    return plain.compactMap { $0.property as? NSAttributeDescription }
      + modelledComposites.map(\.attribute)
  }
}
