import Foundation

extension KeyedValue {
  /// A stored property found by reflection: all that Swift tells about a type that does not
  /// conform.
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

  /// Optionals, sets and the like have children that are no properties.
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

  /// What values of Foundation answer; a property that a type lacks goes on to reflection.
  static func wellKnownValue(of object: Any, forKey key: String) -> Any?? {
    key == "description"
      ? String(describing: object) : ValueProperty.value(of: object, forKey: key)
  }
}
