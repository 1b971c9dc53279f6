import Foundation

extension KeyedValue {
  /// The value of a stored property, found by reflection. Used for types that do not conform to
  /// `KeyValueCodable`.
  static func reflectedValue(of object: Any, forKey key: String) throws -> Any? {
    var mirror: Mirror? = Mirror(reflecting: object)
    while let current = mirror {
      if let child = child(of: current, named: key) { return unwrapped(child) }
      mirror = current.superclassMirror
    }
    throw KeyValueCodingError.undefinedKey(key, of: object, advice: advice)
  }

  private static let advice =
    "Only stored properties can be read by reflection: for computed ones let the class conform to"
    + " KeyValueCodable."

  /// The child with the given label. Optionals, sets and the like have children that are not
  /// properties.
  private static func child(of mirror: Mirror, named key: String) -> Any? {
    switch mirror.displayStyle {
    case .class, .struct, .tuple, nil: mirror.children.first { $0.label == key }?.value
    default: nil
    }
  }

  private static func unwrapped(_ value: Any) -> Any? {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return value }
    return mirror.children.first.flatMap { unwrapped($0.value) }
  }

  /// The value of a key that Foundation's values have (``ValueProperty``); nil for other keys,
  /// which reflection then looks up.
  static func wellKnownValue(of object: Any, forKey key: String) -> Any?? {
    key == "description"
      ? String(describing: object) : ValueProperty.value(of: object, forKey: key)
  }
}
