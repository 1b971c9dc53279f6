import FoundationSupport
import Testing

struct NumberFormatterTests {
  /// What is read of a text, and how much of it.
  @Test(arguments: [
    ("1,234.5", "en_US", "1234.5", 7), ("1.234,5", "de_DE", "1234.5", 7),
    ("12abc", "en_US", "12", 2),
    ("-3", "en_US", "-3", 2), ("0.10", "en_US", "0.1", 4), (".5", "en_US", "0.5", 2),
    ("1.2.3", "en_US", "1.2", 3), ("7,", "en_US", "7", 1),
  ]) func theBeginningIsRead(_ text: String, language: String, number: String, length: Int) throws {
    let formatter = NumberFormatter()
    formatter.locale = Locale(identifier: language)
    formatter.numberStyle = .decimal
    for isDecimal in [true, false] {
      formatter.generatesDecimalNumbers = isDecimal
      var object: AnyObject?
      var range = NSRange(location: 0, length: text.utf16.count)
      try formatter.getObjectValue(&object, for: text, range: &range)
      #expect(range == NSRange(location: 0, length: length))
      let found = try #require(object as? NSNumber)
      #expect(found.doubleValue == Double(number))
      #expect(!isDecimal || object as? Decimal == Decimal(string: number))
    }
  }

  @Test(arguments: ["", "abc", "-", ",1"]) func whatIsNoNumberIsRefused(_ text: String) {
    let formatter = NumberFormatter()
    formatter.locale = Locale(identifier: "en_US")
    formatter.numberStyle = .decimal
    var object: AnyObject?
    #expect(throws: CocoaError.self) {
      try formatter.getObjectValue(&object, for: text, range: nil)
    }
    #expect(object == nil)
  }

  @Test func onlyTheRangeIsRead() throws {
    var (object, range): (AnyObject?, NSRange) = (nil, NSRange(location: 2, length: 2))
    try NumberFormatter().getObjectValue(&object, for: "a 123", range: &range)
    #expect(object as? NSNumber == 12 && range == NSRange(location: 2, length: 2))
  }
}
