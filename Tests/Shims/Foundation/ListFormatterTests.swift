import FoundationSupport
import Testing

struct ListFormatterTests {
  @Test(arguments: [
    ([], "", ""), (["a"], "a", "a"), (["a", "b"], "a and b", "a und b"),
    (["a", "b", "c"], "a, b, and c", "a, b und c"),
  ])
  func listsOfEveryLength(_ items: [String], english: String, german: String) {
    let formatter = ListFormatter()
    for (language, text) in [("en_US", english), ("de", german)] {
      formatter.locale = Locale(identifier: language)
      #expect(formatter.string(from: items) == text)
      #expect(formatter.string(for: items) == text)
    }
  }

  @Test func itemsHaveAFormatter() {
    let formatter = ListFormatter()
    formatter.locale = Locale(identifier: "en_US")
    #expect(formatter.string(from: [1, "b"]) == "1 and b")
    let numbers = NumberFormatter()
    numbers.minimumFractionDigits = 1
    numbers.locale = formatter.locale
    formatter.itemFormatter = numbers
    #expect(formatter.string(from: [1, 2]) == "1.0 and 2.0")
    #expect(formatter.string(from: [1, "b"]) == nil)
    #expect(formatter.string(for: 1) == nil)
    #expect(ListFormatter.localizedString(byJoining: ["a"]) == "a")
  }
}
