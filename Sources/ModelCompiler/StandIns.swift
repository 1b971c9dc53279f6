/// Empty types in place of those that a target extends and that are in modules not built yet.
struct StandIns {
  /// What the compiler says when it does not find a type.
  private static var unknown: Regex<(Substring, Substring)> {
    /cannot find type '([^']+)' in scope/
  }
  private static var extended: Regex<(Substring, Substring)> {
    /\bextension\s+([A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*)/
  }

  private static var imported: Regex<(Substring, Substring)> {
    /(?m)^[ \t]*(?:@\w+[ \t]+)*(?:\w+[ \t]+)?import[ \t]+(?:\w+[ \t]+)?(\w+).*$/
  }

  /// A source as the compiler is asked about its extensions: at an import that it cannot resolve it
  /// would say nothing else.
  static func withoutImports(_ source: String) -> String {
    source.replacing(imported) { match in
      ["CoreData", "Foundation"].contains(match.1) ? String(match.0) : ""
    }
  }

  /// Swift declarations, nested as the extensions name them.
  let text: String

  /// - Parameters:
  ///   - messages: what the compiler wrote when it checked the sources.
  ///   - sources: the texts of the target's files.
  init(messages: String, sources: [String]) {
    let names = Set(messages.matches(of: Self.unknown).map { String($0.1) })
    var types = Nesting()
    for source in sources {
      for match in source.matches(of: Self.extended) {
        let path = match.1.split(separator: ".").map { $0.filter { !$0.isWhitespace } }
        if names.contains(path[0]) { types.add(path[...]) }
      }
    }
    text = types.text
  }

  /// Types by name, each with those inside it.
  private struct Nesting {
    var types: [String: Nesting] = [:]

    mutating func add(_ path: ArraySlice<String>) {
      guard let name = path.first else { return }
      types[name, default: Nesting()].add(path.dropFirst())
    }

    var text: String {
      types.sorted { $0.key < $1.key }.map { "class `\($0)` {\n\($1.text)}\n" }.joined()
    }
  }
}
