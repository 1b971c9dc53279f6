import Testing

@testable import ListTerminal

struct TextTests {
  @Test(arguments: [
    ("a", 1), ("é", 1), ("e\u{301}", 1), ("漢", 2), ("ｱ", 1), ("Ａ", 2), ("한", 2),
    ("\u{1112}\u{1161}\u{11AB}", 2),
    ("😀", 2), ("👩‍🌾", 2), ("👍🏽", 2), ("🇨🇭", 2), ("❤️", 2), ("1️⃣", 2), ("¡", 1), ("ب", 1), ("ก็", 1),
  ])
  func aCharacterHasTheColumnsOfItsScript(_ text: String, _ columns: Int) {
    #expect(TextLayout.width(text) == columns)
  }

  @Test func controlsAndEscapesAreDrawnAndNotObeyed() {
    #expect(SafeText.line("a\u{1B}[31mb\u{7}c\u{9B}d\u{7F}") == "a␛[31mb␇c\u{FFFD}d␡")
    #expect(SafeText.line("two\nlines\tand\r\na tab") == "two lines and a tab")
  }

  @Test func whatWouldReorderTheLineIsLeftOut() {
    let hostile = "\u{202E}abc\u{2066}def\u{2069}\u{200F}\u{200B}\u{FEFF}"
    #expect(SafeText.line(hostile) == "abcdef")
  }

  @Test func aPileOfMarksIsCut() {
    let pile = "z" + String(repeating: "\u{301}", count: 1000)
    #expect(SafeText.line(pile).unicodeScalars.count <= 10)
  }

  @Test func aLongTextIsCutBetweenCharacters() {
    #expect(TextLayout.truncated("Vegetables", to: 5).map(\.text).joined() == "Vege…")
    #expect(TextLayout.truncated("漢字漢字", to: 4).map(\.text).joined() == "漢…")
    #expect(TextLayout.truncated("漢字", to: 4).map(\.text).joined() == "漢字")
    #expect(TextLayout.truncated("abc", to: 0).isEmpty)
  }

  @Test func paragraphsBreakAtBlanks() {
    #expect(TextLayout.wrapped("one two three", to: 7) == ["one two", "three"])
    #expect(TextLayout.wrapped("abcdefghij", to: 4) == ["abcd", "efgh", "ij"])
    #expect(TextLayout.wrapped("a\nb", to: 10) == ["a", "b"])
    #expect(TextLayout.wrapped("one two three four", to: 5, most: 2).count == 2)
  }

  /// However long the text and narrow the place, no line is wider than it.
  @Test(arguments: 1...9) func noLineIsWiderThanItsPlace(_ columns: Int) {
    let text = "Ein 漢字 and 👩‍🌾 in\u{1B}[2J the e\u{301}vening\nof يوم طويل"
    for line in TextLayout.wrapped(text, to: max(2, columns)) {
      #expect(TextLayout.width(line) <= max(2, columns))
    }
    #expect(TextLayout.width(TextLayout.truncated(text, to: columns)) <= columns)
  }
}
