import Foundation

/// The language of a page's reader, from the header `Accept-Language` of the request that opens the
/// window: languages with weights, such as `de-CH, de;q=0.9, en;q=0.5`.
enum ReaderLanguage {
  /// The locale of the language with the largest weight, the first of several; without one that is
  /// known, that of the process.
  static func locale(_ header: String?) -> Locale {
    let wanted = (header ?? "").prefix(mostCharacters).split(separator: ",").compactMap(Range.init)
    let best = wanted.enumerated().max {
      ($0.element.weight, -$0.offset) < ($1.element.weight, -$1.offset)
    }
    return best.map { Locale(identifier: $0.element.identifier) } ?? .current
  }

  private static let mostCharacters = 1000

  /// One language with its weight.
  private struct Range {
    let identifier: String
    let weight: Double

    /// Nil for what is no language, for an unknown one, and for one that is not wanted.
    init?(_ text: Substring) {
      let parts = text.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      guard let tag = parts.first,
        tag.wholeMatch(of: /[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}/) != nil,
        Locale.Language(identifier: tag).languageCode?.isISOLanguage == true
      else { return nil }
      let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { $0.dropFirst(2) }
      guard let weight = quality.map({ Double($0) }) ?? 1, weight > 0, weight <= 1 else {
        return nil
      }
      identifier = tag.replacingOccurrences(of: "-", with: "_")
      self.weight = weight
    }
  }
}
