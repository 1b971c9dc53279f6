public import Foundation

// Foundation's type has no comparators by language on this platform:
// https://github.com/apple/swift-foundation/issues/284
extension String.StandardComparator {
  /// The order of names in file managers: by the user's language, with numbers by their value.
  /// Fetches sort so; `compare` itself knows no language here, but cases and numbers.
  public static let localizedStandard = byLanguage([
    .numeric, .caseInsensitive, .widthInsensitive, .forcedOrdering,
  ])

  /// The order of the user's language. Fetches sort so; `compare` itself knows no language here.
  public static let localized = byLanguage([])

  /// The stored properties of the type, which has no initializer with them.
  private struct Contents: Decodable {
    let options: UInt
    let isLocalized: Bool
    let order: SortOrder
  }

  /// A comparator with the contents that it has on Apple's systems.
  private static func byLanguage(_ options: String.CompareOptions) -> Self {
    var comparator = lexical
    guard MemoryLayout<Self>.size == MemoryLayout<Contents>.size else { return lexical }
    // Sound: the type has the size of `Contents` and no references, and what is written is checked
    // below by what the comparator says of itself.
    withUnsafeMutableBytes(of: &comparator) { bytes in
      bytes.storeBytes(
        of: Contents(options: options.rawValue, isLocalized: true, order: .forward),
        as: Contents.self)
    }
    let encoded = try? JSONEncoder().encode(comparator)
    guard let said = encoded.flatMap({ try? JSONDecoder().decode(Contents.self, from: $0) }),
      said.options == options.rawValue, said.isLocalized, said.order == .forward
    else { return lexical }
    return comparator
  }
}
