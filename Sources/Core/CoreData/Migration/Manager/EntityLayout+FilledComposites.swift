extension EntityLayout {
  /// The value of a composite attribute, with the defaults of missing values that the model
  /// requires. ``CompositeDemands`` does this in SQL.
  func filled(_ value: [String: Any], composite name: String) -> [String: Any] {
    guard case .composite(let index) = place(of: name) else { return value }
    return filled(value, index: index)
  }

  private func filled(_ value: [String: Any], index: Int) -> [String: Any] {
    let composite = composites[index]
    let standard = compositeValue(index) { defaults[$0] } ?? [:]
    guard Self.hasValue(value) else { return composite.attribute.isOptional ? value : standard }
    var value = value
    for (name, place) in composite.elements {
      switch place {
      case .slot(let slot) where !slots[slot].property.isOptional:
        if !Self.hasValue(value[name]) { value[name] = standard[name] }
      case .composite(let nested):
        value[name] = filled(value[name] as? [String: Any] ?? [:], index: nested)
      default: break
      }
    }
    return value
  }

  private static func hasValue(_ value: Any?) -> Bool {
    switch value {
    case nil, is NSNull: false
    case let dictionary as [String: Any]: dictionary.values.contains { hasValue($0) }
    default: true
    }
  }
}
