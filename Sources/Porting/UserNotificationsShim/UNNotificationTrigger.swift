import Foundation

/// When a notification is due. Nothing is ever delivered here.
open class UNNotificationTrigger: NSObject, NSCopying, @unchecked Sendable {
  /// Whether the notification is due again and again.
  public let repeats: Bool

  init(repeats: Bool) { self.repeats = repeats }

  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A notification after some seconds.
open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  /// The seconds from the request on.
  public let timeInterval: TimeInterval
  private let start = Date()

  /// Creates a trigger. The interval has to be positive, and at least a minute where it repeats.
  public init(timeInterval: TimeInterval, repeats: Bool) {
    precondition(timeInterval > 0, "expected a time interval greater than 0, found \(timeInterval)")
    precondition(
      !repeats || timeInterval >= 60,
      "expected a time interval of at least 60 where it repeats, found \(timeInterval)")
    self.timeInterval = timeInterval
    super.init(repeats: repeats)
  }

  /// The next moment when the notification is due; nil if there is none.
  open func nextTriggerDate() -> Date? {
    let passed = Date().timeIntervalSince(start)
    guard repeats || passed < timeInterval else { return nil }
    return start.addingTimeInterval(
      (passed / timeInterval).rounded(.down) * timeInterval + timeInterval)
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNTimeIntervalNotificationTrigger else { return false }
    return timeInterval == other.timeInterval && repeats == other.repeats
  }

  open override var hash: Int { timeInterval.hashValue }
}

/// A notification at a time of the calendar.
open class UNCalendarNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  /// The parts of the time that have to fit.
  public let dateComponents: DateComponents

  /// Creates a trigger.
  public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
    self.dateComponents = dateComponents
    super.init(repeats: repeats)
  }

  /// The next moment when the notification is due; nil if there is none.
  open func nextTriggerDate() -> Date? {
    let calendar = dateComponents.calendar ?? .current
    return calendar.nextDate(after: Date(), matching: dateComponents, matchingPolicy: .nextTime)
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNCalendarNotificationTrigger else { return false }
    return dateComponents == other.dateComponents && repeats == other.repeats
  }

  open override var hash: Int { dateComponents.hashValue }
}

/// A notification that a server has sent.
open class UNPushNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {}

/// A notification that is to be shown, and when.
open class UNNotificationRequest: NSObject, NSCopying, @unchecked Sendable {
  /// The identifier; a later request with the same one takes the place of this.
  public let identifier: String
  /// What is shown.
  public let content: UNNotificationContent
  /// When it is shown; nil means at once.
  public let trigger: UNNotificationTrigger?

  /// Creates a request with a copy of the content.
  public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
    self.identifier = identifier
    self.content = UNNotificationContent(content.values)
    self.trigger = trigger
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationRequest else { return false }
    return identifier == other.identifier && content.isEqual(other.content)
      && (trigger == nil ? other.trigger == nil : trigger!.isEqual(other.trigger))
  }

  open override var hash: Int { identifier.hashValue }
}
