import Foundation
import StoreTool
import Testing

/// Dates as texts: every form of a day beside every form of a time and of a zone, by the calendar.
@Suite struct ISODateTests {
  private static let days = [
    (1, 1, 1), (1582, 10, 15), (1900, 3, 1), (1999, 12, 31), (2000, 2, 29), (2024, 2, 29),
    (2026, 7, 4), (9999, 12, 31),
  ]
  private static let times: [(text: String, seconds: Double)] = [
    ("", 0), ("T00:00", 0), (" 10:07", 36420), ("T10:07:09", 36429), ("T23:59:59.25", 86399.25),
    ("T06:05:04.001", 21904.001),
  ]
  private static let zones: [(text: String, seconds: Double)] = [
    ("", 0), ("Z", 0), ("+00:00", 0), ("+05:45", 20700), ("-1130", -41400), ("+18:00", 64800),
  ]

  @Test func everyFormIsTheSameMoment() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    // Foundation's calendar is the Julian one before 1582.
    for (year, month, day) in Self.days where year > 1582 {
      let midnight = try #require(
        calendar.date(from: DateComponents(year: year, month: month, day: day)))
      for time in Self.times {
        for zone in Self.zones {
          let text = String(format: "%04d-%02d-%02d", year, month, day) + time.text + zone.text
          let date = try #require(ISODate.date(text), "\(text)")
          let expected = midnight + (time.seconds - zone.seconds)
          #expect(abs(date.timeIntervalSince(expected)) < 0.0005, "\(text)")
          #expect(ISODate.date(ISODate.text(date)) == ISODate.date(ISODate.text(expected)))
        }
      }
    }
  }

  @Test func whatIsWrittenIsReadAgain() throws {
    for (year, month, day) in Self.days {
      let text = String(format: "%04d-%02d-%02dT01:02:03Z", year, month, day)
      #expect(ISODate.text(try #require(ISODate.date(text))) == text)
    }
    for text in ["-0044-03-15T00:00:00Z", "12026-01-01T00:00:00Z"] {
      #expect(ISODate.text(try #require(ISODate.date(text))) == text)
    }
  }

  @Test(arguments: [
    "", "2026", "2026-07", "2026-7-04", "26-07-04", "2026-07-04T", "2026-07-04T1:00",
    "2026-07-04T10", "2026-07-04T10:07:", "2026-07-04T10:07:09.", "2026-07-04T24:00",
    "2026-07-04T10:60", "2026-07-04T10:07:61", "2026-07-04T10:07+", "2026-07-04T10:07+5",
    "2026-07-04T10:07+05:4", "2026-07-04T10:07+18:01", "2026-07-04T10:07Zx", " 2026-07-04",
    "2026-07-04 ", "2026-07-04\n", "٢٠٢٦-07-04", "2026-00-04", "2026-07-00", "--2026-07-04",
    "99999999999999999999-01-01",
  ]) func anotherFormIsNoDate(_ text: String) { #expect(ISODate.date(text) == nil) }
}
