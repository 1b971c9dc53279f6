/// The Objective-C name of a class that is nested or private: `_TtCC4Shop5Stock4Item`.
///
///     _Tt  CC      4Shop  5Stock  P33_…  4Item
///          kinds,  module, outermost first, the private ones with their file
///          innermost first
///
/// A kind is `C` for a class, `V` for a structure, `O` for an enumeration. A private name is
/// preceded by `P` and the fingerprint of its file.
enum MangledName {
  /// The mangled name; nil if there is none: for generic classes, classes in functions, and classes
  /// in an extension of another module's type; also for private classes if the file is unknown.
  static func of(_ type: AnyClass, inFile file: String?) -> String? {
    guard let mangled = _mangledTypeName(type) else { return nil }
    var reader = Reader(rest: mangled.utf8[...])
    guard reader.skipName(), let parts = reader.parts() else { return nil }
    let names = _typeName(type, qualified: true).split(separator: ".")
      .filter { !$0.hasPrefix("(unknown context at ") }
    guard names.count == parts.count + 1 else { return nil }
    var text =
      "_Tt" + String(decoding: parts.reversed().map(\.kind), as: UTF8.self) + sized(names[0])
    for (part, name) in zip(parts, names.dropFirst()) {
      if part.isPrivate {
        guard let file else { return nil }
        text += "P" + sized("_" + FileFingerprint.of(file, inModule: String(names[0])))
      }
      text += sized(name)
    }
    return text
  }

  /// The class of a mangled name; nil for a private class.
  static func type(named name: String) -> AnyClass? {
    guard name.hasPrefix("_Tt") else { return nil }
    var rest = name.dropFirst(3)
    let kinds = rest.prefix { "CVO".contains($0) }.reversed()
    rest = rest.dropFirst(kinds.count)
    // Rewritten for Swift's runtime: each name is followed by its kind.
    var mangled = ""
    for kind in [""] + kinds.map(String.init) {
      let digits = rest.prefix { $0.isNumber }
      guard let count = Int(digits), rest.utf8.count >= digits.utf8.count + count else {
        return nil
      }
      let end = rest.utf8.index(rest.startIndex, offsetBy: digits.utf8.count + count)
      mangled += rest[..<end] + kind
      rest = rest[end...]
    }
    return rest.isEmpty ? _typeByName(mangled) as? AnyClass : nil
  }

  private static func sized(_ name: some StringProtocol) -> String { "\(name.utf8.count)\(name)" }

  /// Parser of the runtime's mangled type names: names and kinds alternate.
  private struct Reader {
    var rest: Substring.UTF8View

    /// The types from the outermost to the innermost; nil if the name has other components.
    mutating func parts() -> [(kind: UInt8, isPrivate: Bool)]? {
      var parts: [(kind: UInt8, isPrivate: Bool)] = []
      while !rest.isEmpty {
        var isPrivate = false
        guard skipName() else { return nil }
        // The name was the discriminator of a file.
        if rest.starts(with: "yXZ".utf8) {
          rest = rest.dropFirst(3)
          isPrivate = true
          guard skipName() else { return nil }
        }
        guard let kind = rest.popFirst(), "CVO".utf8.contains(kind) else { return nil }
        parts.append((kind, isPrivate))
      }
      return parts
    }

    /// Skips an identifier: a byte count and as many bytes. After a leading zero, letters refer to
    /// words that occurred before.
    mutating func skipName() -> Bool {
      guard let first = rest.first, isDigit(first) else { return false }
      guard first == UInt8(ascii: "0") else { return skipText() }
      rest = rest.dropFirst()
      while let letter = rest.first {
        if isLower(letter) {
          rest = rest.dropFirst()
        } else if isUpper(letter) {
          // An uppercase letter is the last word; a zero after it means that no text follows.
          rest = rest.dropFirst()
          if rest.first == UInt8(ascii: "0") {
            rest = rest.dropFirst()
            return true
          }
          return skipText()
        } else if !skipText() {
          return false
        }
      }
      return false
    }

    private mutating func skipText() -> Bool {
      let digits = rest.prefix(while: isDigit)
      guard let count = Int(Substring(digits)), count > 0 else { return false }
      rest = rest.dropFirst(digits.count + count)
      return true
    }

    private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte }
    private func isLower(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= byte }
    private func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")) ~= byte }
  }
}
