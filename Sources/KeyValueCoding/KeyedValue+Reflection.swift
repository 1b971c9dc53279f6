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

  /// What Foundation's own classes answer on Apple's systems and real predicates ask for; a
  /// property that a type lacks goes on to reflection.
  static func wellKnownValue(of object: Any, forKey key: String) -> Any?? {
    if key == "description" { return String(describing: object) }
    switch object {
    case let string as String: return stringProperties[key].map { $0(string) }
    case let number as NSNumber: return numberProperties[key].map { $0(number) }
    case let date as Date: return dateProperties[key].map { $0(date) }
    case let url as URL: return urlProperties[key].map { $0(url) }
    case let data as Data: return key == "length" ? .some(NSNumber(value: data.count)) : nil
    case let uuid as UUID:
      return key.lowercased() == "uuidstring" ? .some(uuid.uuidString) : nil
    default: return nil
    }
  }

  private static let stringProperties: [String: @Sendable (String) -> Any?] = [
    "length": { NSNumber(value: $0.utf16.count) },
    "lowercaseString": { $0.lowercased() }, "uppercaseString": { $0.uppercased() },
    "lowercased": { $0.lowercased() }, "uppercased": { $0.uppercased() },
    "capitalizedString": { $0.capitalized },
    "intValue": { NSNumber(value: ($0 as NSString).intValue) },
    "integerValue": { NSNumber(value: ($0 as NSString).integerValue) },
    "doubleValue": { NSNumber(value: ($0 as NSString).doubleValue) },
    "floatValue": { NSNumber(value: ($0 as NSString).floatValue) },
    "boolValue": { NSNumber(value: ($0 as NSString).boolValue) },
    "lastPathComponent": { ($0 as NSString).lastPathComponent },
    "pathExtension": { ($0 as NSString).pathExtension },
  ]

  private static let numberProperties: [String: @Sendable (NSNumber) -> Any?] = [
    "intValue": { $0 }, "integerValue": { $0 }, "doubleValue": { $0 }, "floatValue": { $0 },
    "boolValue": { NSNumber(value: $0.boolValue) }, "stringValue": { $0.stringValue },
  ]

  private static let dateProperties: [String: @Sendable (Date) -> Any?] = [
    "timeIntervalSinceReferenceDate": { NSNumber(value: $0.timeIntervalSinceReferenceDate) },
    "timeIntervalSince1970": { NSNumber(value: $0.timeIntervalSince1970) },
  ]

  private static let urlProperties: [String: @Sendable (URL) -> Any?] = [
    "absoluteString": { $0.absoluteString }, "path": { $0.path }, "host": { $0.host },
    "scheme": { $0.scheme }, "lastPathComponent": { $0.lastPathComponent },
    "pathExtension": { $0.pathExtension },
  ]
}
