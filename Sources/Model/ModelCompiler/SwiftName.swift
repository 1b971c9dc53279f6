/// Names in Swift code.
enum SwiftName {
  static let keywords: Set<String> = [
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import",
    "init", "inout", "internal", "let", "open", "operator", "private", "protocol", "public",
    "rethrows", "static", "struct", "subscript", "typealias", "var", "break", "case", "continue",
    "default", "defer", "do", "else", "fallthrough", "for", "guard", "if", "in", "repeat", "return",
    "switch", "where", "while", "as", "Any", "catch", "false", "is", "nil", "super", "self", "Self",
    "throw", "throws", "true", "try", "Type", "Protocol",
  ]

  /// The name, in backticks if it is a keyword.
  static func escaped(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  /// The name as that of a static constant. `Type`, `Protocol` and `self` get an underscore: after
  /// a type they have another meaning even in backticks.
  static func constant(_ name: String) -> String {
    ["Type", "Protocol", "self"].contains(name) ? name + "_" : escaped(name)
  }

  /// The name with its first letter in upper case.
  static func capitalized(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst()
  }

  /// The name with its first letter in lower case.
  static func uncapitalized(_ name: String) -> String {
    name.prefix(1).lowercased() + name.dropFirst()
  }

  /// A string literal.
  static func literal(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar -> String in
      switch scalar {
      case "\\": "\\\\"
      case "\"": "\\\""
      case let plain where plain.value >= 32 && plain.value < 127: String(plain)
      default: "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return "\"\(scalars.joined())\""
  }

  /// Returns true if a text can be the name of a type or a member.
  static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.first, first.isLetter || first == "_" else { return false }
    return text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}
