import Foundation

/// What the application may show. Here nobody has allowed anything.
open class UNNotificationSettings: NSObject, @unchecked Sendable {
  /// Whether notifications are allowed.
  public let authorizationStatus: UNAuthorizationStatus

  init(_ status: UNAuthorizationStatus) { authorizationStatus = status }

  private var setting: UNNotificationSetting {
    authorizationStatus == .authorized ? .enabled : .disabled
  }

  /// Whether there may be sounds.
  open var soundSetting: UNNotificationSetting { setting }
  /// Whether the icon may have a number.
  open var badgeSetting: UNNotificationSetting { setting }
  /// Whether there may be texts.
  open var alertSetting: UNNotificationSetting { setting }
  /// Whether notifications are listed.
  open var notificationCenterSetting: UNNotificationSetting { setting }
  /// Whether notifications are shown on the locked screen.
  open var lockScreenSetting: UNNotificationSetting { setting }
  /// Whether notifications are shown in a car.
  open var carPlaySetting: UNNotificationSetting { .notSupported }
  /// Whether critical notifications are allowed.
  open var criticalAlertSetting: UNNotificationSetting { .notSupported }
  /// Whether notifications are read aloud.
  open var announcementSetting: UNNotificationSetting { .notSupported }
  /// Whether notifications come in a summary.
  open var scheduledDeliverySetting: UNNotificationSetting { .notSupported }
  /// Whether notifications may pass a Focus.
  open var timeSensitiveSetting: UNNotificationSetting { .notSupported }
  /// The form of texts.
  open var alertStyle: UNAlertStyle { setting == .enabled ? .banner : .none }
  /// Whether texts are shown before the device is unlocked.
  open var showPreviewsSetting: UNShowPreviewsSetting { .never }
  /// Whether the application has settings of its own.
  open var providesAppNotificationSettings: Bool { false }
}

/// Whether an application may show notifications.
public enum UNAuthorizationStatus: Int, Sendable {
  /// Nobody was asked.
  case notDetermined
  /// It may not.
  case denied
  /// It may.
  case authorized
  /// It may, without disturbing.
  case provisional
  /// It may for a while.
  case ephemeral
}

/// Whether something is allowed.
public enum UNNotificationSetting: Int, Sendable {
  /// The device does not have it.
  case notSupported
  /// It is not allowed.
  case disabled
  /// It is allowed.
  case enabled
}

/// The form of texts.
public enum UNAlertStyle: Int, Sendable {
  /// Texts are not shown.
  case none
  /// Texts go by themselves.
  case banner
  /// Texts stay.
  case alert
}

/// When texts are shown.
public enum UNShowPreviewsSetting: Int, Sendable {
  /// Always.
  case always
  /// While the device is unlocked.
  case whenAuthenticated
  /// Never.
  case never
}

/// What an application asks to be allowed.
public struct UNAuthorizationOptions: OptionSet, Sendable {
  /// The bits of the options.
  public let rawValue: UInt

  /// Creates options of bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The number on the icon.
  public static let badge = Self(rawValue: 1)
  /// Sounds.
  public static let sound = Self(rawValue: 2)
  /// Texts.
  public static let alert = Self(rawValue: 4)
  /// Notifications in a car.
  public static let carPlay = Self(rawValue: 8)
  /// Critical notifications.
  public static let criticalAlert = Self(rawValue: 16)
  /// Settings of its own.
  public static let providesAppNotificationSettings = Self(rawValue: 32)
  /// Notifications that do not disturb, without being asked.
  public static let provisional = Self(rawValue: 64)
  /// Notifications that are read aloud.
  public static let announcement = Self(rawValue: 128)
  /// Notifications that pass a Focus.
  public static let timeSensitive = Self(rawValue: 256)
}

/// How a notification is shown while the application is in front.
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
  /// The bits of the options.
  public let rawValue: UInt

  /// Creates options of bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// With its number on the icon.
  public static let badge = Self(rawValue: 1)
  /// With its sound.
  public static let sound = Self(rawValue: 2)
  /// With its text.
  public static let alert = Self(rawValue: 4)
  /// In the list.
  public static let list = Self(rawValue: 8)
  /// As a banner.
  public static let banner = Self(rawValue: 16)
}

/// An error of notifications.
public struct UNError: CustomNSError, Sendable {
  /// The reasons.
  public enum Code: Int, Sendable {
    /// The application may not show notifications.
    case notificationsNotAllowed = 1
    /// There is no file at an attachment's place.
    case attachmentInvalidURL = 100
    /// A request names no time that is to come.
    case notificationInvalidNoDate = 1400
    /// A request shows nothing.
    case notificationInvalidNoContent = 1401
  }

  /// The reason.
  public let code: Code

  /// Creates an error.
  public init(_ code: Code) { self.code = code }

  /// `UNErrorDomain`.
  public static var errorDomain: String { UNErrorDomain }
  /// The number of the reason.
  public var errorCode: Int { code.rawValue }
}

/// The domain of errors of notifications.
public let UNErrorDomain = "UNErrorDomain"
