import Foundation

/// A kind of notification, with the actions that it offers.
open class UNNotificationCategory: NSObject, NSCopying, @unchecked Sendable {
  /// The identifier, which contents name.
  public let identifier: String
  /// What the notification offers.
  public let actions: [UNNotificationAction]
  /// Intents that the notification is about.
  public let intentIdentifiers: [String]
  /// The text that is shown where previews are hidden.
  public let hiddenPreviewsBodyPlaceholder: String
  /// The text that sums up several notifications.
  public let categorySummaryFormat: String
  /// How the notification behaves.
  public let options: UNNotificationCategoryOptions

  /// Creates a category.
  public init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    hiddenPreviewsBodyPlaceholder: String? = nil, categorySummaryFormat: String? = nil,
    options: UNNotificationCategoryOptions = []
  ) {
    self.identifier = identifier
    self.actions = actions
    self.intentIdentifiers = intentIdentifiers
    self.hiddenPreviewsBodyPlaceholder = hiddenPreviewsBodyPlaceholder ?? ""
    self.categorySummaryFormat = categorySummaryFormat ?? ""
    self.options = options
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationCategory else { return false }
    return identifier == other.identifier && actions == other.actions
      && intentIdentifiers == other.intentIdentifiers && options == other.options
  }

  open override var hash: Int { identifier.hashValue }
}

/// How notifications of a category behave.
public struct UNNotificationCategoryOptions: OptionSet, Sendable {
  /// The bits of the options.
  public let rawValue: UInt

  /// Creates options of bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The application is told when the notification is dismissed.
  public static let customDismissAction = Self(rawValue: 1)
  /// The notification may be shown in a car.
  public static let allowInCarPlay = Self(rawValue: 2)
  /// The title is shown although previews are hidden.
  public static let hiddenPreviewsShowTitle = Self(rawValue: 4)
  /// The subtitle is shown although previews are hidden.
  public static let hiddenPreviewsShowSubtitle = Self(rawValue: 8)
  /// The notification may be read aloud.
  public static let allowAnnouncement = Self(rawValue: 16)
}

/// What a notification offers to do.
open class UNNotificationAction: NSObject, NSCopying, @unchecked Sendable {
  /// The identifier, which responses name.
  public let identifier: String
  /// The title.
  public let title: String
  /// How the action behaves.
  public let options: UNNotificationActionOptions

  /// Creates an action.
  public init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
    self.identifier = identifier
    self.title = title
    self.options = options
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationAction else { return false }
    return identifier == other.identifier && title == other.title && options == other.options
  }

  open override var hash: Int { identifier.hashValue }
}

/// An action that asks for a text.
open class UNTextInputNotificationAction: UNNotificationAction, @unchecked Sendable {
  /// The title of the button.
  public let textInputButtonTitle: String
  /// The text in the empty field.
  public let textInputPlaceholder: String

  /// Creates an action.
  public init(
    identifier: String, title: String, options: UNNotificationActionOptions = [],
    textInputButtonTitle: String, textInputPlaceholder: String
  ) {
    self.textInputButtonTitle = textInputButtonTitle
    self.textInputPlaceholder = textInputPlaceholder
    super.init(identifier: identifier, title: title, options: options)
  }
}

/// How an action behaves.
public struct UNNotificationActionOptions: OptionSet, Sendable {
  /// The bits of the options.
  public let rawValue: UInt

  /// Creates options of bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The device has to be unlocked.
  public static let authenticationRequired = Self(rawValue: 1)
  /// The action destroys something.
  public static let destructive = Self(rawValue: 2)
  /// The action brings the application up.
  public static let foreground = Self(rawValue: 4)
}

/// The identifier of the action that opens the application.
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
/// The identifier of the action that dismisses the notification.
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

/// A notification that was delivered. None is here.
open class UNNotification: NSObject, @unchecked Sendable {
  /// The time of the delivery.
  public let date: Date
  /// What was delivered.
  public let request: UNNotificationRequest

  init(_ request: UNNotificationRequest, date: Date) {
    self.request = request
    self.date = date
  }
}

/// What was chosen of a notification. Nobody chooses anything here.
open class UNNotificationResponse: NSObject, @unchecked Sendable {
  /// The notification.
  public let notification: UNNotification
  /// The identifier of the action.
  public let actionIdentifier: String

  init(_ notification: UNNotification, actionIdentifier: String) {
    self.notification = notification
    self.actionIdentifier = actionIdentifier
  }
}

/// A text that was typed into a notification.
open class UNTextInputNotificationResponse: UNNotificationResponse, @unchecked Sendable {
  /// The text.
  public let userText = ""
}
