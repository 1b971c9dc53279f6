// The properties of a row as the model declares them: a composite attribute is one property over
// several slots.

extension EntityLayout {
  /// The property of the model that a slot belongs to.
  func propertyPlace(ofSlot slot: Int) -> Place {
    slots[slot].composite.map(Place.composite) ?? .slot(slot)
  }

  func propertyName(ofSlot slot: Int) -> String {
    slots[slot].composite.map { composites[$0].path } ?? slots[slot].name
  }

  /// The properties of the model that these slots belong to, each once.
  func propertyPlaces(ofSlots slots: some Sequence<Int>) -> [(name: String, place: Place)] {
    var last: Place?
    return slots.compactMap { slot in
      let place = propertyPlace(ofSlot: slot)
      defer { last = place }
      return place == last ? nil : (propertyName(ofSlot: slot), place)
    }
  }

  /// The value of a composite attribute: a dictionary of the non-nil elements; nil if all are nil.
  func compositeValue(_ index: Int, value: (Int) -> Value) -> [String: Any]? {
    var dictionary: [String: Any] = [:]
    for (name, place) in composites[index].elements {
      switch place {
      case .slot(let slot): dictionary[name] = attributeValue(value(slot), slot: slot)
      case .composite(let nested): dictionary[name] = compositeValue(nested, value: value)
      default: break
      }
    }
    return dictionary.isEmpty ? nil : dictionary
  }

  private func attributeValue(_ value: Value, slot: Int) -> Any? {
    guard case .attribute(let type) = slots[slot].kind else { return nil }
    return value.boxed(type)
  }

  /// The values of a composite attribute's slots in a dictionary; elements that it lacks become
  /// nil.
  ///
  /// - Throws: ``UnacceptableValue`` if `value` is no dictionary, contains a value of another type
  ///   than its element's, or has a key that names no element.
  func slotValues(
    of value: Any?, composite index: Int
  ) throws -> [(slot: Int, value: Value)] {
    let composite = composites[index]
    let dictionary = try Self.dictionary(value, composite: composite)
    let known = Set(composite.elements.map(\.name))
    if let unknown = dictionary?.keys.first(where: { !known.contains($0) }) {
      throw UnacceptableValue(
        name: "\(composite.path).\(unknown)", expected: "one of \(known.sorted())",
        given: type(of: value))
    }
    return try composite.elements.flatMap { name, place -> [(slot: Int, value: Value)] in
      switch place {
      case .slot(let slot): return [(slot, try slotValue(dictionary?[name], slot: slot))]
      case .composite(let nested): return try slotValues(of: dictionary?[name], composite: nested)
      default: return []
      }
    }
  }

  private func slotValue(_ value: Any?, slot: Int) throws -> Value {
    guard case .attribute(let type) = slots[slot].kind else { return .null }
    return try Value(value, type: type, name: slots[slot].name)
  }

  private static func dictionary(
    _ value: Any?, composite: Composite
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
