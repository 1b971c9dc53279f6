/// Collects the property list inside an XML store's metadata, element by element. The parser of
/// property lists thus sees only elements of property lists, nested at most as deep as the store's
/// reader allows.
struct XMLPropertyListText {
  private static let elements: Set<String> = [
    "plist", "dict", "array", "key", "string", "integer", "real", "true", "false", "date", "data",
  ]

  private var text = ""
  private var isForeign = false

  mutating func begin(_ name: String) {
    if !Self.elements.contains(name) { isForeign = true }
    text += "<\(name)>"
  }

  mutating func end(_ name: String, content: String) {
    text += "\(XMLStoreWriter.escaped(content))</\(name)>"
  }

  /// The property list; empty if there is none. Throws ``FileDamage``.
  func value() throws -> [String: Any] {
    if text.isEmpty { return [:] }
    // The parser's error adds nothing to ``FileDamage``.
    let list =
      isForeign
      ? nil : try? PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
    guard let list = list as? [String: Any] else {
      throw FileDamage(text: "its metadata are no property list")
    }
    return list
  }
}
