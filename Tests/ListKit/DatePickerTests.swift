import Foundation
import ListKit
import Testing

/// A date picker, and the texts that a renderer exchanges with it.
@MainActor
@Suite struct DatePickerTests {
  private func makePicker(_ mode: UIDatePicker.Mode, _ seconds: Double) -> UIDatePicker {
    let picker = UIDatePicker()
    picker.datePickerMode = mode
    picker.timeZone = .gmt
    picker.date = Date(timeIntervalSince1970: seconds)
    return picker
  }

  @Test(arguments: [
    (UIDatePicker.Mode.date, "1984-05-27"), (.time, "09:30"), (.dateAndTime, "1984-05-27T09:30"),
  ]) func theTextFollowsTheMode(mode: UIDatePicker.Mode, text: String) {
    #expect(makePicker(mode, 454_498_200).dateText == text)
  }

  @Test(arguments: [
    (UIDatePicker.Mode.date, "2001-02-03", 981_192_600.0), (.time, "23:59", 454_550_340),
    (.dateAndTime, "1900-01-01T00:00", -2_208_988_800),
  ])
  func aChosenTextChangesWhatItSaysAndLeavesTheRest(
    mode: UIDatePicker.Mode, text: String, seconds: Double
  ) {
    let picker = makePicker(mode, 454_498_200)
    var changes = 0
    picker.addAction(UIAction { _ in changes += 1 }, for: .valueChanged)
    #expect(picker.receive(text))
    #expect(picker.date.timeIntervalSince1970 == seconds)
    #expect(picker.dateText == text)
    #expect(picker.receive(text))
    #expect(changes == 1)
  }

  @Test(arguments: ["", "soon", "1984-05", "1984-13-01", "2001-02-30", "12:00"])
  func whatIsNoDateIsRefused(text: String) {
    let picker = makePicker(.date, 0)
    #expect(!picker.receive(text))
    #expect(picker.date.timeIntervalSince1970 == 0)
  }

  @Test func aDateOutsideTheLimitsBecomesTheNearestInside() {
    let picker = makePicker(.date, 0)
    picker.minimumDate = Date(timeIntervalSince1970: -86_400)
    picker.maximumDate = Date(timeIntervalSince1970: 86_400)
    #expect(picker.receive("1980-01-01") && picker.dateText == "1970-01-02")
    #expect(picker.receive("1960-01-01") && picker.dateText == "1969-12-31")
  }

  @Test func theTimeZoneDecidesTheDay() throws {
    let picker = makePicker(.date, 84_600)
    #expect(picker.dateText == "1970-01-01")
    picker.timeZone = TimeZone(secondsFromGMT: 3600)
    #expect(picker.dateText == "1970-01-02")
  }
}
