import Foundation

/// A control for a date, a time, or both.
///
/// Source: UIKit, `UIDatePicker`. It always has a date: none cannot be chosen. In the countdown
/// mode the value is `countDownDuration`, whole minutes below a day.
open class UIDatePicker: UIControl {
  /// The part of the date that the user chooses, or a duration.
  public enum Mode: Int, Sendable {
    case time, date, dateAndTime, countDownTimer
  }

  /// The appearance of the picker.
  public enum Style: Int, Sendable {
    case automatic, wheels, compact, inline
  }

  /// The part of the date that the user chooses; date and time by default.
  open var datePickerMode = Mode.dateAndTime {
    didSet { if datePickerMode != oldValue { setNeedsDisplay() } }
  }
  /// The appearance. Stored and not used: a renderer has one style.
  open var preferredDatePickerStyle = Style.automatic
  /// The calendar. Only its time zone is used: dates are shown in the Gregorian calendar.
  open var calendar: Calendar! = .current { didSet { setNeedsDisplay() } }
  /// The time zone; `nil` is the calendar's.
  open var timeZone: TimeZone? { didSet { if timeZone != oldValue { setNeedsDisplay() } } }
  /// The earliest date that the user can choose; `nil` is no limit.
  open var minimumDate: Date? { didSet { if minimumDate != oldValue { setNeedsDisplay() } } }
  /// The latest date that the user can choose; `nil` is no limit.
  open var maximumDate: Date? { didSet { if maximumDate != oldValue { setNeedsDisplay() } } }

  /// The chosen date. Setting it sends no actions.
  open var date = Date() {
    didSet { if date != oldValue, !isReceiving { setNeedsDisplay() } }
  }

  /// The duration of the countdown mode in seconds: whole minutes, from 0 to 23 hours and 59
  /// minutes. Other values are rounded down and clamped.
  open var countDownDuration: TimeInterval {
    get { TimeInterval(countDownMinutes * 60) }
    set {
      let minutes = min(max(Int(newValue / 60), 0), 24 * 60 - 1)
      guard minutes != countDownMinutes else { return }
      countDownMinutes = minutes
      setNeedsDisplay()
    }
  }
  private var countDownMinutes = 0

  /// True while a date from the user is set, which the renderer shows already.
  private var isReceiving = false

  /// Sets `date`; nothing is animated.
  open func setDate(_ date: Date, animated: Bool) { self.date = date }
}

// The date as text for renderers, such as 1984-05-27, 09:30 or 1984-05-27T09:30.
extension UIDatePicker {
  package var dateText: String {
    guard datePickerMode == .countDownTimer else { return text(of: date) }
    return [countDownMinutes / 60, countDownMinutes % 60].map { Self.digits($0, 2) }
      .joined(separator: ":")
  }

  /// Sets the user's date, clamped to the limits, and sends actions. Returns false for an invalid
  /// text.
  @discardableResult
  package func receive(_ text: String) -> Bool {
    if datePickerMode == .countDownTimer { return receiveDuration(text) }
    guard let received = date(of: text) else { return false }
    let allowed = min(max(received, minimumDate ?? received), maximumDate ?? received)
    guard allowed != date else { return true }
    isReceiving = allowed == received
    date = allowed
    isReceiving = false
    sendActions(for: [.valueChanged, .primaryActionTriggered])
    return true
  }

  private func receiveDuration(_ text: String) -> Bool {
    let numbers = text.split(separator: ":").compactMap { Int($0) }
    guard numbers.count == 2, (0..<24).contains(numbers[0]), (0..<60).contains(numbers[1]) else {
      return false
    }
    let minutes = numbers[0] * 60 + numbers[1]
    guard minutes != countDownMinutes else { return true }
    countDownMinutes = minutes
    sendActions(for: [.valueChanged, .primaryActionTriggered])
    return true
  }

  private static func digits(_ value: Int?, _ count: Int) -> String {
    let text = String(value ?? 0)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }

  package func text(of date: Date) -> String {
    let parts = localCalendar.dateComponents(in: localCalendar.timeZone, from: date)
    let day = [Self.digits(parts.year, 4), Self.digits(parts.month, 2), Self.digits(parts.day, 2)]
      .joined(separator: "-")
    let time = [Self.digits(parts.hour, 2), Self.digits(parts.minute, 2)].joined(separator: ":")
    return switch datePickerMode {
    case .date: day
    case .time, .countDownTimer: time
    case .dateAndTime: "\(day)T\(time)"
    }
  }

  /// The date of a text. Parts that the mode does not show are kept from the current date.
  private func date(of text: String) -> Date? {
    let numbers = text.split { "-T:".contains($0) }.compactMap { Int($0) }
    var parts = localCalendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second], from: date)
    switch (datePickerMode, numbers.count) {
    case (.date, 3): (parts.year, parts.month, parts.day) = (numbers[0], numbers[1], numbers[2])
    case (.time, 2): (parts.hour, parts.minute) = (numbers[0], numbers[1])
    case (.dateAndTime, 5):
      (parts.year, parts.month, parts.day) = (numbers[0], numbers[1], numbers[2])
      (parts.hour, parts.minute) = (numbers[3], numbers[4])
    default: return nil
    }
    guard parts.isValidDate(in: localCalendar) else { return nil }
    return localCalendar.date(from: parts)
  }

  private var localCalendar: Calendar {
    var local = Calendar(identifier: .gregorian)
    local.timeZone = timeZone ?? calendar.timeZone
    return local
  }
}
