extension NSManagedObject {
  /// Validates a composite attribute as a single value, and sets the value that validation has
  /// replaced it with.
  final func checkComposite(_ index: Int) throws {
    let place = EntityLayout.Place.composite(index)
    let value = modelledValue(place) as? [String: Any]
    var validated: Any? = value
    try validateValue(&validated, forKey: layout.composites[index].path)
    if validated as? NSDictionary != value as NSDictionary? {
      setModelledValue(validated, place: place, tracked: true)
    }
  }

  /// Checks the rules of the attribute, then, unless it is nil, those of its elements. The key of
  /// an error is the element's key path.
  final func checkCompositeRules(_ composite: EntityLayout.Composite, value: Any?) throws {
    // Swift's types guarantee the rules. Version hashes do not change when a structure stops being
    // optional: rows without a value are read as the default, which must not fail the save of
    // another edit.
    if composite.attribute.isSwiftValue { return }
    try checkRequired(composite.attribute, name: composite.path, value: value)
    guard let dictionary = value as? [String: Any] else { return }
    var errors: [any Error] = []
    for (name, place) in composite.elements {
      do { try checkElement(place, value: dictionary[name]) } catch { errors.append(error) }
    }
    if !errors.isEmpty { throw CoreDataError.combined(errors) }
  }

  private func checkElement(_ place: EntityLayout.Place, value: Any?) throws {
    switch place {
    case .slot(let slot):
      try checkRequired(layout.slots[slot].property, name: layout.slots[slot].name, value: value)
    case .composite(let nested): try checkCompositeRules(layout.composites[nested], value: value)
    default: break
    }
  }
}

extension EntityLayout.Composite {
  /// Whether the composite is an element of another one.
  var isElement: Bool { path.contains(".") }
}
