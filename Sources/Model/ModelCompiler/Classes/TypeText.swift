import Foundation

/// Converts types from the demangled form of a symbol to Swift text with the same meaning in the
/// generated file.
///
/// The compiler has resolved every name there: `App.Space.Item?`, `[Swift.String : Any]`,
/// `Swift.Set<FoundationEssentials.Date>`. Each is written with its module, unless a type of the
/// target has the module's name and would shadow it.
struct TypeText {
  let moduleName: String
  /// The top-level types of the target.
  let topLevel: Set<String>
  /// Type names that the declaration prefixes with `any`; the demangled form omits it.
  let existentials: Set<String>

  /// The text, and the modules that it needs.
  struct Result {
    var text: String
    var modules: Set<String> = []
    /// The private type in the text, if any; the generated file cannot name it.
    var privateType: String?
  }

  func result(_ demangled: String) -> Result {
    var result = Result(text: "")
    var rest = Self.withoutPrefixes(demangled, result: &result)[...]
    while let character = rest.first {
      guard Self.isNamePart(character) else {
        result.text.append(character)
        rest.removeFirst()
        continue
      }
      let path = rest.prefix { Self.isNamePart($0) || $0 == "." }
      rest = rest.dropFirst(path.count)
      let name = name(path.split(separator: ".").map(String.init), result: &result)
      let isExistential = existentials.contains(
        path.split(separator: ".").last.map(String.init) ?? "")
      // One `any` precedes a whole composition.
      if !isExistential || result.text.hasSuffix("& ") {
        result.text += name
      } else {
        result.text += rest.hasPrefix(" &") ? "any \(name)" : "(any \(name))"
      }
    }
    return result
  }

  private static func isNamePart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  /// The text without `(extension in App):`, and with `App.Kind` for `App.(Kind in _64AC…)`.
  private static func withoutPrefixes(_ text: String, result: inout Result) -> String {
    var text = text
    while let range = text.range(of: #"\(extension in [^)]*\):"#, options: .regularExpression) {
      text.removeSubrange(range)
    }
    while let range = text.range(of: #"\([^() ]+ in _[0-9A-F]+\)"#, options: .regularExpression) {
      let name = text[range].dropFirst().prefix { $0 != " " }
      result.privateType = result.privateType ?? String(name)
      text.replaceSubrange(range, with: name)
    }
    return text
  }

  private func name(_ path: [String], result: inout Result) -> String {
    guard path.count > 1 else { return path.first ?? "" }
    let module = Self.publicModule(path[0])
    let local = path.dropFirst().map(SwiftName.escaped).joined(separator: ".")
    var name = local
    if module != "__C" {
      if module != moduleName { result.modules.insert(module) }
      if !topLevel.contains(module) { name = "\(module).\(local)" }
    }
    return name
  }

  /// The module to import for a module; Foundation consists of several modules.
  private static func publicModule(_ name: String) -> String {
    name.hasPrefix("Foundation") && name != "FoundationNetworking" && name != "FoundationXML"
      ? "Foundation" : name
  }
}
