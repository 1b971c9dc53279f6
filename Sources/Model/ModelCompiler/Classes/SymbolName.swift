import Foundation

/// Reads the compiler's mangled names of declarations.
enum SymbolName {
  /// The demangled name, by the Swift runtime's own function.
  static func demangled(_ name: String) -> String? {
    guard
      let text = swiftDemangle(
        name, length: UInt(name.utf8.count), buffer: nil, size: nil, flags: 0)
    else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  /// The type in `App.Item.title : Swift.String?`.
  static func propertyType(_ demangled: String) -> String {
    demangled.range(of: " : ").map { String(demangled[$0.upperBound...]) } ?? ""
  }

  /// The parameters in `App.Item.insertIntoParts(_: App.Part, at: Swift.Int) -> ()`.
  static func parameters(_ demangled: String) -> String {
    guard let close = demangled.range(of: ") -> ", options: .backwards)?.lowerBound else {
      return ""
    }
    var depth = 0
    for index in demangled[..<close].indices.reversed() {
      if demangled[index] == ")" { depth += 1 }
      guard demangled[index] == "(" else { continue }
      if depth == 0 { return String(demangled[demangled.index(after: index)..<close]) }
      depth -= 1
    }
    return ""
  }

  /// Splits at the commas outside of brackets.
  static func split(_ text: String) -> [String] {
    var parts: [String] = [""]
    var depth = 0
    for character in text {
      if "<[(".contains(character) { depth += 1 }
      if ">])".contains(character) { depth -= 1 }
      if character == ",", depth == 0 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }
}

/// `swift_demangle` of the Swift runtime, which every Swift program contains. The caller frees the
/// result.
@_silgen_name("swift_demangle")
private func swiftDemangle(
  _ name: UnsafePointer<CChar>, length: UInt, buffer: UnsafeMutablePointer<CChar>?,
  size: UnsafeMutablePointer<UInt>?, flags: UInt32
) -> UnsafeMutablePointer<CChar>?
