extension NSManagedObject {
  /// Validates a composite attribute as the one value that it is, and takes over what validation has
  /// made of it.
  final func checkComposite(_ index: Int) throws {
    let place = EntityLayout.Place.composite(index)
    let value = modelledValue(place) as? [String: Any]
    var validated: Any? = value
    try validateValue(&validated, forKey: layout.composites[index].path)
    if validated as? NSDictionary != value as NSDictionary? {
      setModelledValue(validated, place, tracked: true)
    }
  }

  /// The rules of the attribute itself, then those of its elements, unless it is nil altogether. An
  /// error's key is the key path of the element.
  final func checkCompositeRules(_ composite: EntityLayout.Composite, _ value: Any?) throws {
    // Swift's types see to it. No version hash tells a structure that is optional no more: rows without one are read as the
    // default, and are no error of who edits something else.
    if composite.attribute.isSwiftValue { return }
    try checkRequired(composite.attribute, composite.path, value)
    guard let dictionary = value as? [String: Any] else { return }
    var errors: [any Error] = []
    for (name, place) in composite.elements {
      do { try checkElement(place, dictionary[name]) } catch { errors.append(error) }
    }
    if !errors.isEmpty { throw CoreDataError.combined(errors) }
  }

  private func checkElement(_ place: EntityLayout.Place, _ value: Any?) throws {
    switch place {
    case .slot(let slot):
      try checkRequired(layout.slots[slot].property, layout.slots[slot].name, value)
    case .composite(let nested): try checkCompositeRules(layout.composites[nested], value)
    default: break
    }
  }
}

extension EntityLayout.Composite {
  /// Whether it is an element of another one.
  var isElement: Bool { path.contains(".") }
}
