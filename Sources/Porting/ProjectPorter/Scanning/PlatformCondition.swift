/// Evaluates a condition of `#if` for a debug build on Linux with the modules available here.
struct PlatformCondition {
  private var words: ArraySlice<String>
  private let defined: Set<String>

  init(_ text: String, defined: Set<String>) {
    self.defined = defined
    words = Self.words(text)[...]
  }

  var holds: Bool {
    var copy = self
    return copy.either()
  }

  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    var rest = Substring(text)
    while let first = rest.first {
      if rest.hasPrefix("//") || rest.hasPrefix("/*") { break }
      if rest.hasPrefix("&&") || rest.hasPrefix("||") || rest.hasPrefix(">=")
        || rest.hasPrefix("<=")
      {
        words.append(String(rest.prefix(2)))
        rest = rest.dropFirst(2)
      } else if first.isLetter || first.isNumber || first == "_" {
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        words.append(String(word))
        rest = rest.dropFirst(word.count)
      } else {
        if !first.isWhitespace { words.append(String(first)) }
        rest = rest.dropFirst()
      }
    }
    return words
  }

  private mutating func either() -> Bool {
    var result = both()
    while words.first == "||" {
      words.removeFirst()
      let other = both()
      result = result || other
    }
    return result
  }

  private mutating func both() -> Bool {
    var result = one()
    while words.first == "&&" {
      words.removeFirst()
      let other = one()
      result = result && other
    }
    return result
  }

  private mutating func one() -> Bool {
    guard let word = words.popFirst() else { return false }
    switch word {
    case "!": return !one()
    case "(":
      let result = either()
      _ = words.popFirst()
      return result
    default:
      let arguments = words.first == "(" ? self.arguments() : []
      return holds(word, arguments: arguments)
    }
  }

  private mutating func arguments() -> [String] {
    words.removeFirst()
    var arguments: [String] = []
    while let word = words.popFirst(), word != ")" { arguments.append(word) }
    return arguments
  }

  private func holds(_ word: String, arguments: [String]) -> Bool {
    switch word {
    case "os":
      return arguments.first.map { $0 == "Linux" || defined.contains("os(\($0))") } ?? false
    case "canImport":
      let module = arguments.first.map { String($0.prefix { $0 != "." }) } ?? ""
      return KnownModules.isHere(module) || defined.contains("canImport(\(module))")
    // Sources are assumed to suit current compilers: every minimum version holds.
    case "swift", "compiler", "_compiler_version": return arguments.first != "<"
    case "arch": return ["x86_64", "arm64"].contains(arguments.first)
    case "targetEnvironment", "_endian", "_runtime": return false
    case "hasFeature", "hasAttribute": return true
    case "true", "DEBUG": return true
    default: return defined.contains(word)
    }
  }
}
