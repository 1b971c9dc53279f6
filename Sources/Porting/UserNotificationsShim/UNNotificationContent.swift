import Foundation

/// The text of a notification and what else it shows. Its values are fixed: make one that is
/// mutable and copy it.
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
  /// What a content says. Contents that say the same are equal.
  struct Values {
    var attachments: [UNNotificationAttachment] = []
    var badge: NSNumber?
    var body = ""
    var categoryIdentifier = ""
    var filterCriteria: String?
    var interruptionLevel = UNNotificationInterruptionLevel.active
    var launchImageName = ""
    var relevanceScore = 0.0
    var sound: UNNotificationSound?
    var subtitle = ""
    var targetContentIdentifier: String?
    var threadIdentifier = ""
    var title = ""
    var userInfo: [AnyHashable: Any] = [:]
  }

  /// Sendable: only a mutable content changes them, which must not be shared between threads.
  final var values: Values

  /// Creates an empty content.
  public override init() { values = Values() }

  init(_ values: Values) { self.values = values }

  /// Files that the notification shows.
  open var attachments: [UNNotificationAttachment] { values.attachments }
  /// The number on the application's icon; nil leaves it.
  open var badge: NSNumber? { values.badge }
  /// The text.
  open var body: String { values.body }
  /// The identifier of the category with the notification's actions.
  open var categoryIdentifier: String { values.categoryIdentifier }
  /// The criteria by which a Focus lets the notification through.
  open var filterCriteria: String? { values.filterCriteria }
  /// How much the notification may disturb.
  open var interruptionLevel: UNNotificationInterruptionLevel { values.interruptionLevel }
  /// The picture of the launch.
  open var launchImageName: String { values.launchImageName }
  /// The place among the application's notifications, from 0 to 1.
  open var relevanceScore: Double { values.relevanceScore }
  /// The sound.
  open var sound: UNNotificationSound? { values.sound }
  /// The second line.
  open var subtitle: String { values.subtitle }
  /// The scene that a tap brings up.
  open var targetContentIdentifier: String? { values.targetContentIdentifier }
  /// The thread among which the notification is shown.
  open var threadIdentifier: String { values.threadIdentifier }
  /// The first line.
  open var title: String { values.title }
  /// Values of the application's own.
  open var userInfo: [AnyHashable: Any] { values.userInfo }

  /// A content with the same values, which do not change.
  open func copy(with zone: NSZone? = nil) -> Any { UNNotificationContent(values) }

  /// A mutable content with the same values.
  open func mutableCopy(with zone: NSZone? = nil) -> Any { UNMutableNotificationContent(values) }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationContent else { return false }
    return values.parts.isEqual(other.values.parts)
  }

  open override var hash: Int { values.title.hashValue ^ values.body.hashValue }
}

extension UNNotificationContent.Values {
  /// The values as objects that can be compared.
  fileprivate var parts: NSArray {
    let optionals: [Any?] = [
      badge, filterCriteria, sound?.name, targetContentIdentifier, userInfo as NSDictionary,
    ]
    return [
      attachments, body, categoryIdentifier, interruptionLevel.rawValue, launchImageName,
      relevanceScore, subtitle, threadIdentifier, title, optionals.map { $0 ?? NSNull() },
    ] as NSArray
  }
}

/// The text of a notification and what else it shows, to be filled in.
open class UNMutableNotificationContent: UNNotificationContent, @unchecked Sendable {
  open override var attachments: [UNNotificationAttachment] {
    get { values.attachments }
    set { values.attachments = newValue }
  }
  open override var badge: NSNumber? {
    get { values.badge }
    set { values.badge = newValue }
  }
  open override var body: String {
    get { values.body }
    set { values.body = newValue }
  }
  open override var categoryIdentifier: String {
    get { values.categoryIdentifier }
    set { values.categoryIdentifier = newValue }
  }
  open override var filterCriteria: String? {
    get { values.filterCriteria }
    set { values.filterCriteria = newValue }
  }
  open override var interruptionLevel: UNNotificationInterruptionLevel {
    get { values.interruptionLevel }
    set { values.interruptionLevel = newValue }
  }
  open override var launchImageName: String {
    get { values.launchImageName }
    set { values.launchImageName = newValue }
  }
  open override var relevanceScore: Double {
    get { values.relevanceScore }
    set { values.relevanceScore = newValue }
  }
  open override var sound: UNNotificationSound? {
    get { values.sound }
    set { values.sound = newValue }
  }
  open override var subtitle: String {
    get { values.subtitle }
    set { values.subtitle = newValue }
  }
  open override var targetContentIdentifier: String? {
    get { values.targetContentIdentifier }
    set { values.targetContentIdentifier = newValue }
  }
  open override var threadIdentifier: String {
    get { values.threadIdentifier }
    set { values.threadIdentifier = newValue }
  }
  open override var title: String {
    get { values.title }
    set { values.title = newValue }
  }
  open override var userInfo: [AnyHashable: Any] {
    get { values.userInfo }
    set { values.userInfo = newValue }
  }
}

/// How much a notification may disturb.
public enum UNNotificationInterruptionLevel: UInt, Sendable {
  /// It is listed.
  case passive
  /// It is shown, with its sound.
  case active
  /// It is shown although a Focus holds others back.
  case timeSensitive
  /// It is heard although the device is muted.
  case critical
}

/// A file that a notification shows.
open class UNNotificationAttachment: NSObject, @unchecked Sendable {
  /// The identifier of the attachment.
  public let identifier: String
  /// The place of the file.
  public let url: URL
  /// The type of the file: its extension here.
  public let type: String

  /// Creates an attachment.
  /// - Throws: `UNError` with the code `attachmentInvalidURL` if there is no such file.
  public init(identifier: String, url: URL, options: [AnyHashable: Any]? = nil) throws {
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw UNError(.attachmentInvalidURL)
    }
    self.identifier = identifier.isEmpty ? UUID().uuidString : identifier
    self.url = url
    type = url.pathExtension
  }
}

/// A sound. Nothing is heard here.
open class UNNotificationSound: NSObject, NSCopying, @unchecked Sendable {
  /// The name of the file, or of a sound of the system's.
  let name: String

  /// The sound that most notifications have.
  public class var `default`: UNNotificationSound { UNNotificationSound(name: "default") }
  /// The sound of critical notifications.
  public class var defaultCritical: UNNotificationSound { UNNotificationSound(name: "critical") }

  /// Creates a sound of a file of the application.
  public convenience init(named name: UNNotificationSoundName) { self.init(name: name.rawValue) }

  init(name: String) { self.name = name }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? UNNotificationSound)?.name == name
  }

  open override var hash: Int { name.hashValue }
}

/// The name of a file with a sound.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
  /// The name of the file.
  public let rawValue: String

  /// Creates a name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Creates a name.
  public init(_ rawValue: String) { self.rawValue = rawValue }
}
