import Foundation

/// An object of a keyed archive: its class and its fields.
package struct ArchiveRecord {
  package let archive: KeyedArchive
  package let identifier: Int
  package let fields: [String: Any]
  /// The object's class, followed by its ancestors.
  package let classNames: [String]

  package var className: String { classNames.first ?? "" }

  package func isKind(of name: String) -> Bool { classNames.contains(name) }

  /// The identifier in a field; nil if the field is absent or has no identifier.
  package func identifier(_ key: String) -> Int? {
    fields[key].flatMap(KeyedArchive.identifier)
  }

  /// The value of a field, or the object that it refers to; nil for `$null` and for an absent
  /// field.
  package func object(_ key: String) throws -> Any? {
    guard let value = fields[key] else { return nil }
    guard let identifier = KeyedArchive.identifier(value) else { return value }
    return try archive.object(at: identifier)
  }

  package func record(_ key: String) throws -> ArchiveRecord? {
    guard let identifier = identifier(key) else { return nil }
    return try archive.record(at: identifier)
  }

  package func integer(_ key: String) throws -> Int? {
    guard let value = try object(key) else { return nil }
    guard let number = value as? NSNumber else { throw wrong(key, expected: "a number") }
    return number.intValue
  }

  package func flag(_ key: String) throws -> Bool {
    try integer(key).map { $0 != 0 } ?? false
  }

  /// The string in a field, archived as `NSString` or as `NSMutableString`.
  package func text(_ key: String) throws -> String? {
    guard let value = try object(key) else { return nil }
    if let text = value as? String { return text }
    if let table = value as? [String: Any], let text = table["NS.string"] as? String { return text }
    throw wrong(key, expected: "a string")
  }

  package func requiredText(_ key: String) throws -> String {
    guard let text = try text(key) else { throw wrong(key, expected: "a string") }
    return text
  }

  /// The identifiers in a list field (`NS.objects`).
  package func identifiers(_ key: String) throws -> [Int] {
    guard let list = fields[key] as? [Any] else { throw wrong(key, expected: "a list") }
    return try list.map { value in
      guard let identifier = KeyedArchive.identifier(value) else {
        throw wrong(key, expected: "objects")
      }
      return identifier
    }
  }

  /// The elements of the array or set that a field refers to.
  package func elements(_ key: String) throws -> [Int] {
    try record(key)?.identifiers("NS.objects") ?? []
  }

  /// The keys and values of the dictionary that a field refers to, of any dictionary class.
  package func entries(_ key: String) throws -> [(key: String, value: Int)] {
    try record(key)?.entries() ?? []
  }

  /// The keys and values of this dictionary.
  package func entries() throws -> [(key: String, value: Int)] {
    let (keys, values) = try isKind(of: "NSKnownKeysDictionary") ? knownKeys() : plainKeys()
    guard keys.count == values.count else {
      throw wrong("NS.keys", expected: "as many keys as values")
    }
    return try zip(keys, values).map { key, value in
      guard let text = try archive.object(at: key) as? String else {
        throw wrong("NS.keys", expected: "strings")
      }
      return (text, value)
    }
  }

  private func plainKeys() throws -> ([Int], [Int]) {
    (try identifiers("NS.keys"), try identifiers("NS.objects"))
  }

  private func knownKeys() throws -> ([Int], [Int]) {
    guard let mapping = try record("searchMapping") else {
      throw wrong("searchMapping", expected: "the keys")
    }
    return (try mapping.elements("keys"), try elements("values"))
  }

  package func wrong(_ key: String, expected: String) -> ModelFileError {
    archive.error("\(className) expects \(expected) in \(key)")
  }
}
