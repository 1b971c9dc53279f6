extension KeyPathName {
  /// The number of properties in a Swift key path: 2 for `\Item.title.count`. Nil if the
  /// description does not begin with the root type. Swift describes a key path as `\Item.<computed
  /// 0x… (String)>.<computed 0x… (Int)>`, with any type in the parentheses.
  package static func componentCount(of keyPath: AnyKeyPath) -> Int? {
    let text = "\(keyPath)"
    let root = "\\\(type(of: keyPath).rootType)."
    guard text.hasPrefix(root) else { return nil }
    var depth = 0
    var count = 1
    for character in text.dropFirst(root.count) {
      switch character {
      case "(": depth += 1
      case ")": depth -= 1
      case "." where depth == 0: count += 1
      default: break
      }
    }
    return count
  }
}
