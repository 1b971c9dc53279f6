/// What a constraint names: a property, or by a path with points an element of a composite
/// attribute's value.
package struct PropertyPath: Sendable {
  /// The property.
  package let property: String
  /// The names of elements, each within the one before; none for the property itself.
  package let elements: [String]

  /// Reads "size.width".
  package init(_ text: String) {
    let parts = text.split(separator: ".").map(String.init)
    property = parts.first ?? text
    elements = Array(parts.dropFirst())
  }

  /// What the path leads to in the property's value; null where there is nothing.
  package func value(in value: SyncValue?) -> SyncValue {
    elements.reduce(value ?? .null) { value, name in
      if case .composite(let parts) = value { parts[name] ?? .null } else { .null }
    }
  }
}
