/// Collects the property list inside an XML store's metadata, element by element, so that the reader of
/// property lists sees nothing but its own elements, at most as deep as the store's reader goes.
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

  mutating func end(_ name: String, _ content: String) {
    text += "\(XMLStoreWriter.escaped(content))</\(name)>"
  }

  /// Empty when there is none.
  func value() throws -> [String: Any] {
    if text.isEmpty { return [:] }
    // Data and not an error: what is wrong with a property list says nothing more.
    let list =
      isForeign
      ? nil : try? PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
    guard let list = list as? [String: Any] else {
      throw FileDamage(text: "its metadata are no property list")
    }
    return list
  }
}
