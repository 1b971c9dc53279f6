/// Objective-C names of Swift declarations.
enum SelectorName {
  /// The selector of a method: `setTitle:animated:` for `setTitle(_:animated:)`, `moveTo:` for
  /// `move(to:)`, `showWithTitle:` for `show(title:)`.
  static func method(_ base: String, labels: [String], isThrowing: Bool = false) -> String {
    var labels = labels
    var pieces: [String] = []
    if labels.isEmpty {
      return isThrowing ? "\(base)AndReturnError:" : base
    }
    pieces.append(first(base, label: labels.removeFirst()))
    pieces += labels.map { $0 == "_" ? "" : $0 }
    if isThrowing { pieces.append("error") }
    return pieces.map { $0 + ":" }.joined()
  }

  static func setter(of property: String) -> String { "set\(capitalized(property)):" }

  private static func first(_ base: String, label: String) -> String {
    guard label != "_" else { return base }
    let words = CamelCase.words(base)
    let joins =
      prepositions.contains(CamelCase.words(label).first?.lowercased() ?? "")
      || prepositions.contains(words.last?.lowercased() ?? "")
    return base + (joins ? "" : "With") + capitalized(label)
  }

  static func capitalized(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst()
  }

  /// The prepositions that the compiler recognises.
  private static let prepositions: Set<String> = [
    "above", "after", "along", "alongside", "as", "at", "before", "below", "by", "following", "for",
    "from",
    "given", "in", "including", "inside", "into", "matching", "of", "on", "passing", "preceding",
    "since",
    "to", "until", "using", "via", "when", "with", "within",
  ]
}

/// Splits camel-case names into words.
enum CamelCase {
  static func words(_ name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var wasUpper = true
    for character in name {
      if character.isUppercase, !wasUpper {
        words.append(word)
        word = ""
      }
      wasUpper = character.isUppercase
      word.append(character)
    }
    return word.isEmpty ? words : words + [word]
  }
}
