import Foundation

/// Takes apart the text of declarations as symbol graphs print them.
enum DeclarationText {
  /// The type in `@NSManaged var title: String? { get set }`.
  static func propertyType(_ declaration: String) -> String? {
    guard let colon = declaration.range(of: ": ") else { return nil }
    let rest = declaration[colon.upperBound...]
    let end = rest.range(of: " { get", options: .backwards)?.lowerBound ?? rest.endIndex
    let type = rest[..<end].trimmingCharacters(in: .whitespaces)
    return type.isEmpty ? nil : type
  }

  /// The parameters in `@NSManaged func insertIntoItems(_ value: Item, at index: Int)`.
  static func parameters(_ declaration: String) -> [ManagedClass.Member.Parameter] {
    guard let function = declaration.range(of: "func "),
      let open = declaration[function.upperBound...].firstIndex(of: "("),
      let close = declaration.lastIndex(of: ")"), open < close
    else { return [] }
    let text = declaration[declaration.index(after: open)..<close]
    return split(text).compactMap { part in
      let halves = part.components(separatedBy: ": ")
      guard halves.count >= 2, let label = halves[0].split(separator: " ").first else { return nil }
      let type = halves.dropFirst().joined(separator: ": ").trimmingCharacters(in: .whitespaces)
      return ManagedClass.Member.Parameter(label: String(label), type: type)
    }
  }

  /// Splits at the commas that are not inside of brackets.
  private static func split(_ text: Substring) -> [String] {
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
