import Foundation
import KeyValueCoding

/// String equality and order under the options of a comparison. Memory and SQL share it, so that
/// both give equal results.
///
/// Without options, strings compare by their Unicode scalars. With `c` or `d` they are folded first
/// (as Foundation folds, without a locale) and composed. With `l` they compare in the order of the
/// user's locale.
package struct StringFolding: Sendable {
  package let ignoresCase: Bool
  package let ignoresDiacritics: Bool
  private let isLocalized: Bool

  package init(_ options: NSComparisonPredicate.Options) {
    let isNormalized = options.contains(.normalized)
    ignoresCase = options.contains(.caseInsensitive) && !isNormalized
    ignoresDiacritics = options.contains(.diacriticInsensitive) && !isNormalized
    isLocalized = options.contains(.localeSensitive) && !isNormalized
  }

  package var foldsNothing: Bool { !ignoresCase && !ignoresDiacritics }

  /// The folded string. ASCII, the common case, is folded without Foundation.
  package func fold(_ text: String) -> String {
    if foldsNothing { return text }
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return ignoresCase ? text.lowercased() : text }
    return text.folding(options: foundationOptions, locale: nil)
      .precomposedStringWithCanonicalMapping
  }

  /// The folded form of an ASCII byte.
  @inline(__always)
  func fold(_ byte: UInt8) -> UInt8 {
    ignoresCase && byte &- 0x41 < 26 ? byte | 0x20 : byte
  }

  package func order(_ left: String, _ right: String) -> ComparisonResult {
    guard isLocalized else { return textOrder(fold(left), fold(right)) }
    return Collation.localized(
      ignoringCase: ignoresCase, ignoringDiacritics: ignoresDiacritics
    ).order(left, right)
  }

  private var foundationOptions: String.CompareOptions {
    var options: String.CompareOptions = []
    if ignoresCase { options.insert(.caseInsensitive) }
    if ignoresDiacritics { options.insert(.diacriticInsensitive) }
    return options
  }
}

extension NSComparisonPredicate.Options {
  /// Whether strings compare by their scalars.
  package var foldsNothing: Bool { isEmpty || contains(.normalized) }
}
