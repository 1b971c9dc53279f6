// The properties of a row as the model has them, where a composite attribute is one property over
// several slots.

extension EntityLayout {
  /// The modelled property that a slot belongs to.
  func propertyPlace(ofSlot slot: Int) -> Place {
    slots[slot].composite.map(Place.composite) ?? .slot(slot)
  }

  func propertyName(ofSlot slot: Int) -> String {
    slots[slot].composite.map { composites[$0].path } ?? slots[slot].name
  }

  /// The modelled properties of these slots, each once.
  func propertyPlaces(ofSlots slots: some Sequence<Int>) -> [(name: String, place: Place)] {
    var last: Place?
    return slots.compactMap { slot in
      let place = propertyPlace(ofSlot: slot)
      defer { last = place }
      return place == last ? nil : (propertyName(ofSlot: slot), place)
    }
  }

  /// The value of a composite attribute: a dictionary of the elements that are not nil, nil when all are.
  func compositeValue(_ index: Int, _ value: (Int) -> Value) -> [String: Any]? {
    var dictionary: [String: Any] = [:]
    for (name, place) in composites[index].elements {
      switch place {
      case .slot(let slot): dictionary[name] = attributeValue(value(slot), slot)
      case .composite(let nested): dictionary[name] = compositeValue(nested, value)
      default: break
      }
    }
    return dictionary.isEmpty ? nil : dictionary
  }

  private func attributeValue(_ value: Value, _ slot: Int) -> Any? {
    guard case .attribute(let type) = slots[slot].kind else { return nil }
    return value.boxed(type)
  }

  /// What a dictionary means for each slot of a composite attribute; elements that it does not name
  /// become nil.
  ///
  /// Throws ``UnacceptableValue`` for what is no dictionary, for a value of another type than its
  /// element's, and for a name that is none of the elements.
  func slotValues(
    of value: Any?, composite index: Int
  ) throws -> [(slot: Int, value: Value)] {
    let composite = composites[index]
    let dictionary = try Self.dictionary(value, composite)
    let known = Set(composite.elements.map(\.name))
    if let unknown = dictionary?.keys.first(where: { !known.contains($0) }) {
      throw UnacceptableValue(
        name: "\(composite.path).\(unknown)", expected: "one of \(known.sorted())",
        given: type(of: value))
    }
    return try composite.elements.flatMap { name, place -> [(slot: Int, value: Value)] in
      switch place {
      case .slot(let slot): return [(slot, try slotValue(dictionary?[name], slot))]
      case .composite(let nested): return try slotValues(of: dictionary?[name], composite: nested)
      default: return []
      }
    }
  }

  private func slotValue(_ value: Any?, _ slot: Int) throws -> Value {
    guard case .attribute(let type) = slots[slot].kind else { return .null }
    return try Value(value, type: type, name: slots[slot].name)
  }

  private static func dictionary(
    _ value: Any?, _ composite: Composite
  ) throws -> [String: Any]? {
    switch value {
    case nil, is NSNull: nil
    case let dictionary as [String: Any]: dictionary
    case let optional as [String: Any]?: optional
    default:
      throw UnacceptableValue(
        name: composite.path, expected: "NSDictionary", given: type(of: value!))
    }
  }
}
