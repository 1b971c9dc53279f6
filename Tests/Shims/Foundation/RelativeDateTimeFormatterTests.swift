import FoundationSupport
import Testing

struct RelativeDateTimeFormatterTests {
  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0)!
    return calendar
  }()

  private func makeFormatter(_ language: String = "en_US") -> RelativeDateTimeFormatter {
    let formatter = RelativeDateTimeFormatter()
    formatter.calendar = Self.calendar
    formatter.locale = Locale(identifier: language)
    return formatter
  }

  /// Every unit, past and to come, one and many, also at the ends of months and years.
  @Test(
    arguments: [
      (Calendar.Component.second, "second"), (.minute, "minute"), (.hour, "hour"), (.day, "day"),
      (.month, "month"), (.year, "year"),
    ], ["2001-01-01", "2024-02-29", "2024-03-31", "2024-12-31"])
  func units(_ unit: (Calendar.Component, String), day: String) throws {
    let formatter = makeFormatter()
    let reference = try Date("\(day)T12:00:00Z", strategy: .iso8601)
    for value in [-3, -1, 1, 3] {
      let date = try #require(
        Self.calendar.date(byAdding: unit.0, value: value, to: reference))
      let words = "\(abs(value)) \(unit.1)\(abs(value) == 1 ? "" : "s")"
      // A month before the last day of March is less than a month.
      guard unit.0 != .month || day == "2001-01-01" else { continue }
      #expect(
        formatter.localizedString(for: date, relativeTo: reference)
          == (value < 0 ? "\(words) ago" : "in \(words)"))
    }
  }

  @Test func theLargestUnitCounts() throws {
    let formatter = makeFormatter()
    let reference = try Date("2024-06-01T12:00:00Z", strategy: .iso8601)
    for (seconds, text) in [
      (0.0, "in 0 seconds"), (59, "in 59 seconds"), (61, "in 1 minute"), (-7199, "1 hour ago"),
      (-86_400 * 8, "1 week ago"), (86_400 * 40, "in 1 month"),
    ] {
      #expect(
        formatter.localizedString(
          for: reference.addingTimeInterval(seconds), relativeTo: reference) == text)
    }
    #expect(formatter.localizedString(from: DateComponents(day: -2, hour: 5)) == "2 days ago")
    #expect(formatter.localizedString(from: DateComponents(year: 0, hour: 5)) == "in 5 hours")
    #expect(formatter.localizedString(fromTimeInterval: -300.5) == "5 minutes ago")
    #expect(formatter.string(for: "text") == nil)
  }

  @Test func stylesAndLanguages() {
    let formatter = makeFormatter()
    let yesterday = DateComponents(day: -1)
    formatter.dateTimeStyle = .named
    #expect(formatter.localizedString(from: yesterday) == "yesterday")
    formatter.formattingContext = .beginningOfSentence
    #expect(formatter.localizedString(from: yesterday) == "Yesterday")
    formatter.dateTimeStyle = .numeric
    formatter.unitsStyle = .spellOut
    #expect(
      formatter.localizedString(from: DateComponents(month: -2)).lowercased() == "two months ago")
    #expect(makeFormatter("de").localizedString(from: DateComponents(hour: 3)) == "in 3 Stunden")
  }

  @Test func setsHaveTheirIterator() {
    var iterator: NSFastEnumerationIterator = NSMutableSet(array: [1]).makeIterator()
    #expect(iterator.next() as? Int == 1 && iterator.next() == nil)
    iterator = NSOrderedSet(array: [2]).makeIterator()
    #expect(iterator.next() as? Int == 2)
  }
}
