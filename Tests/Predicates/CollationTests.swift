import Foundation
import Predicates
import Testing
import TestSupport

/// The order of a language: by key as by comparison, and as Foundation's.
@Suite struct CollationTests {
  private static let seed: UInt64 = 0xC011A7E

  private static let pieces = [
    "a", "A", "b", "B", "z", "Z", "é", "e", "E", "É", "e\u{301}", "ß", "ä", "Ö", "o", "ñ", "ø", "ł",
    "1", "2", "10", "01", "007", "100", "1.5", "-3", " ", "-", "_", ".", "/", "!", "(", "'", "\"",
    "#", "$", "~", "+", "=", "&", "\t", "日", "本", "あ", "ア", "Ａ", "İ", "ı", "i", "I", "Ж", "ж",
    "α", "Ω", "😂", "①", "½", "ﬁ", "æ", "Æ", "²", "\u{200d}", "\u{301}",
  ]

  private static let cut = ["ß", "İ", "æ", "Æ", "ﬁ", "½", "①", "Ａ"]

  private static func texts(_ count: Int, from pieces: [String]) -> [String] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in
      (0..<Int.random(in: 0...6, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
    }
  }

  private static func order(_ first: [UInt8], _ second: [UInt8]) -> ComparisonResult {
    if first == second { return .orderedSame }
    return first.lexicographicallyPrecedes(second) ? .orderedAscending : .orderedDescending
  }

  @Test(arguments: SortSelector.allCases)
  func keysAreInTheOrderOfTheStrings(_ selector: SortSelector) {
    let texts = Self.texts(4_000, from: Self.pieces)
    for (first, second) in zip(texts, texts.dropFirst()) {
      #expect(
        Self.order(selector.key(for: first), selector.key(for: second))
          == selector.order(first, second), "\(first) \(second), seed \(Self.seed)")
    }
  }

  private func foundation(
    _ selector: SortSelector, _ first: String, _ second: String
  ) -> ComparisonResult {
    switch selector {
    case .localizedCompare: first.localizedCompare(second)
    case .localizedCaseInsensitiveCompare: first.localizedCaseInsensitiveCompare(second)
    default: first.localizedStandardCompare(second)
    }
  }

  /// What the collation does not tell apart may have an order by Foundation. Foundation cuts texts
  /// next to letters that stand for two and compares the pieces one by one, so that an accent before
  /// outweighs a letter behind; and it takes `①` for `1` and `Ａ` for `A`.
  @Test(arguments: [
    SortSelector.localizedCompare, .localizedCaseInsensitiveCompare, .localizedStandardCompare,
  ])
  func theOrderIsFoundations(_ selector: SortSelector) {
    let texts = Self.texts(5_000, from: Self.pieces.filter { !Self.cut.contains($0) })
    for (first, second) in zip(texts, texts.dropFirst()) {
      let order = selector.order(first, second)
      if order == .orderedSame { continue }
      #expect(
        order == foundation(selector, first, second), "\(first) \(second), seed \(Self.seed)")
    }
  }

  @Test(arguments: [
    ("File 2", "file 10", ComparisonResult.orderedAscending), ("1", "01", .orderedSame),
    ("a", "A", .orderedAscending), ("resume", "résumé", .orderedAscending),
    ("résumé", "resumes", .orderedAscending), ("é", "e\u{301}", .orderedSame),
    ("", "a", .orderedAscending), ("_a", "a", .orderedAscending), ("z", "日", .orderedAscending),
  ])
  func finderOrdersAsPeopleDo(_ first: String, _ second: String, _ order: ComparisonResult) {
    #expect(SortSelector.localizedStandardCompare.order(first, second) == order)
  }

  @Test(arguments: [
    ("'a' ==[l] 'A'", false), ("'a' ==[cl] 'A'", true), ("'a' ==[dl] 'á'", true),
    ("'a' ==[dl] 'Á'", false), ("'a' ==[cdl] 'Á'", true), ("'B' <[l] 'a'", false),
    ("'a' <[l] 'B'", true), ("'B' <[cl] 'b'", false), ("'é' <[l] 'f'", true),
    ("'é' BETWEEN[l] {'e', 'f'}", true),
  ])
  func theOptionOrdersByLanguage(_ format: String, _ answer: Bool) {
    #expect(NSPredicate(format: format).evaluate(with: nil) == answer)
  }

  @Test func longStringsHaveKeys() {
    let text = String(repeating: "日é1", count: 5_000)
    let selector = SortSelector.localizedStandardCompare
    #expect(selector.key(for: text).lexicographicallyPrecedes(selector.key(for: text + "a")))
  }

  @Test func strangeStringsHaveKeys() {
    for text in [
      "", "\0", "\u{FFFF}", "\u{10FFFF}", String(decoding: [0x80, 0xFF], as: UTF8.self),
    ] {
      for selector in SortSelector.allCases { _ = selector.key(for: text) }
    }
  }
}
