/// What every string that matches a pattern begins with.
struct ConstantPrefix {
  private(set) var text = ""
  /// Whether the pattern is nothing but this text.
  private(set) var isWhole = false
  /// Whether every string with this beginning matches.
  private(set) var isFollowedByAnything = false

  /// Of a pattern of LIKE.
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

  /// Of a regular expression: its letters, digits and spaces up to the first that mean more.
  init(ofExpression pattern: String) {
    if pattern.contains("|") { return }
    for scalar in pattern.unicodeScalars {
      if ["*", "+", "?", "{"].contains(scalar) {
        // It is about the character before.
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
