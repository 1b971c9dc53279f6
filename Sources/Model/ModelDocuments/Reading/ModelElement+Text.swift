extension ModelElement {
  /// The element with the editor's layout.
  private static let layout = "elements"

  /// The element as XML on one line, with attributes in alphabetical order, without the editor's
  /// layout.
  package var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    text += "<" + name
    for (key, value) in attributes.sorted(by: { $0.key < $1.key }) {
      text += " \(key)=\"\(Self.escaped(value))\""
    }
    let written = children.filter { $0.name != Self.layout }
    guard !written.isEmpty else {
      text += "/>"
      return
    }
    text += ">"
    for child in written { child.write(to: &text) }
    text += "</\(name)>"
  }

  package static func escaped(_ value: String) -> String {
    guard value.utf8.contains(where: needsEscape) else { return value }
    return String(
      value.unicodeScalars.flatMap { scalar -> [Character] in
        guard scalar.isASCII, needsEscape(UInt8(scalar.value)) else { return [Character(scalar)] }
        return Array("&#\(scalar.value);")
      })
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""): true
    default: byte < 0x20
    }
  }
}
