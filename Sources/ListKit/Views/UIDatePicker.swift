import Foundation

/// A control for a day, a time, or both.
///
/// Source: UIKit, `UIDatePicker`. It always has a date: an empty one cannot be chosen. The countdown
/// mode is not there.
open class UIDatePicker: UIControl {
  public enum Mode: Int, Sendable {
    case time, date, dateAndTime
  }

  public enum Style: Int, Sendable {
    case automatic, wheels, compact, inline
  }

  open var datePickerMode = Mode.dateAndTime {
    didSet { if datePickerMode != oldValue { setNeedsDisplay() } }
  }
  /// Kept and not looked at: a renderer has one style.
  open var preferredDatePickerStyle = Style.automatic
  open var calendar: Calendar! = .current { didSet { setNeedsDisplay() } }
  /// `nil` stands for the calendar's.
  open var timeZone: TimeZone? { didSet { if timeZone != oldValue { setNeedsDisplay() } } }
  open var minimumDate: Date? { didSet { if minimumDate != oldValue { setNeedsDisplay() } } }
  open var maximumDate: Date? { didSet { if maximumDate != oldValue { setNeedsDisplay() } } }

  open var date = Date() {
    didSet { if date != oldValue, !isReceiving { setNeedsDisplay() } }
  }

  /// True while a date from the user is taken over, which the renderer shows already.
  private var isReceiving = false

  open func setDate(_ date: Date, animated: Bool) { self.date = date }
}

// What a renderer reads and writes: the date as text, such as 1984-05-27, 09:30 or 1984-05-27T09:30.
extension UIDatePicker {
  package var dateText: String { text(of: date) }

  /// The user chose a date. False for what is no date.
  @discardableResult
  package func receive(_ text: String) -> Bool {
    guard let received = date(of: text) else { return false }
    let allowed = min(max(received, minimumDate ?? received), maximumDate ?? received)
    guard allowed != date else { return true }
    isReceiving = allowed == received
    date = allowed
    isReceiving = false
    sendActions(for: [.valueChanged, .primaryActionTriggered])
    return true
  }

  package func text(of date: Date) -> String {
    let parts = localCalendar.dateComponents(in: localCalendar.timeZone, from: date)
    func number(_ value: Int?, _ digits: Int) -> String {
      let text = String(value ?? 0)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    let day = [number(parts.year, 4), number(parts.month, 2), number(parts.day, 2)]
      .joined(separator: "-")
    let time = [number(parts.hour, 2), number(parts.minute, 2)].joined(separator: ":")
    return switch datePickerMode {
    case .date: day
    case .time: time
    case .dateAndTime: "\(day)T\(time)"
    }
  }

  /// What the text leaves out stays as it is.
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
