import Foundation

/// Formats the time between two dates in words, as in "5 minutes ago", by the largest unit of the
/// calendar that is not zero.
open class RelativeDateTimeFormatter: Formatter {
  /// How units are written.
  public enum UnitsStyle: Int, Sendable {
    /// "2 months ago".
    case full
    /// "two months ago".
    case spellOut
    /// "2 mo. ago".
    case short
    /// "2mo ago".
    case abbreviated
  }

  /// How the words are chosen.
  public enum DateTimeStyle: Int, Sendable {
    /// "1 day ago".
    case numeric
    /// "yesterday".
    case named
  }

  /// How units are written; full by default.
  open var unitsStyle = UnitsStyle.full
  /// How the words are chosen; numeric by default.
  open var dateTimeStyle = DateTimeStyle.numeric
  /// Where the text stands. The beginning of a sentence has a capital letter.
  open var formattingContext = Context.unknown
  /// The calendar that counts the units; the user's by default.
  open var calendar: Calendar! = .autoupdatingCurrent
  /// The language of the words; the user's by default.
  open var locale: Locale! = .autoupdatingCurrent

  /// Creates a formatter with the user's calendar and language.
  public override init() { super.init() }

  /// Formatters of this class have no archives.
  public required init?(coder: NSCoder) { nil }

  /// Formats the largest unit of the components that is not zero.
  open func localizedString(from dateComponents: DateComponents) -> String {
    let units = Self.units.map { ($0.component, $0.field, dateComponents.value(for: $0.component)) }
    let chosen = units.first { ($0.2 ?? 0) != 0 } ?? units.last { $0.2 != nil } ?? units[6]
    return text(chosen.2 ?? 0, of: chosen.0, as: chosen.1)
  }

  /// Formats the time from now on, in seconds; a negative one is past.
  open func localizedString(fromTimeInterval timeInterval: TimeInterval) -> String {
    let now = Date()
    return localizedString(for: now.addingTimeInterval(timeInterval), relativeTo: now)
  }

  /// Formats the time from a reference date to another.
  open func localizedString(for date: Date, relativeTo referenceDate: Date) -> String {
    localizedString(
      from: ownCalendar.dateComponents(
        Set(Self.units.map(\.component)), from: referenceDate, to: date))
  }

  /// Formats the time from now to a date; nil for any other object.
  open override func string(for obj: Any?) -> String? {
    (obj as? Date).map { localizedString(for: $0, relativeTo: Date()) }
  }

  private var ownCalendar: Calendar { calendar ?? .autoupdatingCurrent }

  private static let units:
    [(component: Calendar.Component, field: Date.RelativeFormatStyle.Field)] = [
      (.year, .year), (.month, .month), (.weekOfMonth, .week), (.day, .day), (.hour, .hour),
      (.minute, .minute), (.second, .second),
    ]

  private func text(
    _ value: Int, of component: Calendar.Component, as field: Date.RelativeFormatStyle.Field
  ) -> String {
    // Noon in the middle of a month: units have their usual lengths on both sides.
    let reference = Date(timeIntervalSinceReferenceDate: 14.5 * 86_400)
    let date = ownCalendar.date(byAdding: component, value: value, to: reference) ?? reference
    return Date.AnchoredRelativeFormatStyle(
      anchor: date, allowedFields: [field],
      presentation: dateTimeStyle == .named ? .named : .numeric, unitsStyle: style,
      locale: locale ?? .autoupdatingCurrent, calendar: ownCalendar,
      capitalizationContext: capitalization
    ).format(reference)
  }

  private var style: Date.RelativeFormatStyle.UnitsStyle {
    switch unitsStyle {
    case .full: .wide
    case .spellOut: .spellOut
    case .short: .abbreviated
    case .abbreviated: .narrow
    }
  }

  private var capitalization: FormatStyleCapitalizationContext {
    switch formattingContext {
    case .standalone: .standalone
    case .listItem: .listItem
    case .beginningOfSentence: .beginningOfSentence
    case .middleOfSentence: .middleOfSentence
    default: .unknown
    }
  }
}
