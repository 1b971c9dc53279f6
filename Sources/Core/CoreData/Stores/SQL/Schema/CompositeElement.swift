/// An element of a composite attribute, by the outermost attribute and the key path.
///
/// A composite has no column of its own. Each element has one, with the element's name alone, in
/// the pass of its type and at the composite's position; a repeated name gets a number as usual.
struct CompositeElement: Hashable {
  let composite: ObjectIdentifier
  let path: String
}

extension NSAttributeDescription {
  /// The stored parts of an attribute: itself, or the elements of a composite, nested ones at their
  /// positions.
  var storedElements: [(key: CompositeElement, attribute: NSAttributeDescription)] {
    storedElements(path: name, outermost: ObjectIdentifier(self))
  }

  private func storedElements(
    path: String, outermost: ObjectIdentifier
  ) -> [(key: CompositeElement, attribute: NSAttributeDescription)] {
    if isTransient { return [] }
    guard let composite = self as? NSCompositeAttributeDescription else {
      return [(CompositeElement(composite: outermost, path: path), self)]
    }
    return composite.elements.flatMap {
      $0.storedElements(path: "\(path).\($0.name)", outermost: outermost)
    }
  }
}

extension SQLSchemaBuilder {
  /// The column of a slot; nil if the slot is not stored.
  func column(of slot: EntityLayout.Slot, in layout: EntityLayout) -> ColumnMapping? {
    guard let composite = slot.composite else { return columns[ObjectIdentifier(slot.property)] }
    let outermost = ObjectIdentifier(layout.composites[composite].attribute)
    return elementColumns[CompositeElement(composite: outermost, path: slot.name)]
  }
}
