import Foundation

/// An `.xcstrings`: the texts of a table in all languages. Xcode compiles it to tables of single
/// languages, `en.lproj/Localizable.strings`; here the port does.
struct StringCatalog {
  private let contents: Contents
  /// The name of the table.
  let name: String

  private struct Contents: Decodable {
    let sourceLanguage: String
    let strings: [String: Entry]
  }

  private struct Entry: Decodable {
    let localizations: [String: Localization]?
  }

  private struct Unit: Decodable { let value: String }

  /// A text, or one for each form of a number or kind of device.
  private struct Localization: Decodable {
    let stringUnit: Unit?
    let variations: [String: [String: Localization]]?

    /// The text; of several the one for all other numbers and devices.
    var text: String? {
      if let stringUnit { return stringUnit.value }
      return variations?.sorted { $0.key < $1.key }
        .compactMap { ($0.value["other"] ?? $0.value.min { $0.key < $1.key }?.value)?.text }.first
    }
  }

  init(_ file: URL) throws {
    name = file.deletingPathExtension().lastPathComponent
    do {
      contents = try JSONDecoder().decode(Contents.self, from: Data(contentsOf: file))
    } catch {
      throw PortError("\(file.path): expected a string catalog: \(error)")
    }
  }

  /// The tables by their paths.
  var tables: [String: Data] {
    let languages = Set(
      contents.strings.values.flatMap { ($0.localizations ?? [:]).keys } + [contents.sourceLanguage]
    )
    return Dictionary(
      languages.map { ("\($0).lproj/\(name).strings", Data(table($0).utf8)) },
      uniquingKeysWith: { first, _ in first })
  }

  private func table(_ language: String) -> String {
    contents.strings.sorted { $0.key < $1.key }.compactMap { key, entry -> String? in
      guard let text = entry.localizations?[language]?.text else { return nil }
      return "\(Self.quoted(key)) = \(Self.quoted(text));\n"
    }.joined()
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      .replacing("\n", with: "\\n")
    return "\"\(escaped)\""
  }
}
