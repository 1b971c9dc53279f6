/// The text with which every string that matches a pattern begins.
struct ConstantPrefix {
  private(set) var text = ""
  /// Whether the pattern consists of this text alone.
  private(set) var isWhole = false
  /// Whether every string with this prefix matches.
  private(set) var isFollowedByAnything = false

  /// The prefix of a LIKE pattern.
  init(ofLike pattern: String) {
    var rest = pattern.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "*" || scalar == "?" {
        isFollowedByAnything = scalar == "*" && rest.allSatisfy { $0 == "*" }
        return
      }
      text.unicodeScalars.append(scalar == "\\" ? rest.popFirst() ?? scalar : scalar)
    }
    isWhole = true
  }

  /// The prefix of a regular expression: its letters, digits and spaces before the first other
  /// character.
  init(ofExpression pattern: String) {
    if pattern.contains("|") { return }
    for scalar in pattern.unicodeScalars {
      if ["*", "+", "?", "{"].contains(scalar) {
        // The quantifier applies to the character before it.
        if !text.isEmpty { text.unicodeScalars.removeLast() }
        return
      }
      let isPlain =
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
        || ("0"..."9").contains(scalar) || scalar == " "
      guard isPlain else { return }
      text.unicodeScalars.append(scalar)
    }
  }
}
