import Foundation

/// The notifications of the process.
///
/// Requests are kept in memory, so that tests of code that schedules notifications run. Nothing is
/// delivered, and who asks whether notifications are allowed hears no. Completion handlers are
/// called on a queue of the background, in the order of the calls.
open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
  private static let shared = UNUserNotificationCenter()

  /// The center of the process.
  open class func current() -> UNUserNotificationCenter { shared }

  /// Who hears of notifications. Nobody is told anything here.
  open weak var delegate: (any UNUserNotificationCenterDelegate)?
  /// Whether extensions may draw notifications.
  open var supportsContentExtensions: Bool { false }

  private let queue = DispatchQueue(label: "UNUserNotificationCenter")
  /// Guarded by `queue`, as all below.
  private var requests: [UNNotificationRequest] = []
  private var categories: Set<UNNotificationCategory> = []
  private var status = UNAuthorizationStatus.notDetermined

  /// Asks for permission, which nobody gives.
  open func requestAuthorization(
    options: UNAuthorizationOptions = [],
    completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    queue.async {
      self.status = .denied
      completionHandler(false, nil)
    }
  }

  /// Reads what the application may show.
  open func getNotificationSettings(
    completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void
  ) {
    queue.async { completionHandler(UNNotificationSettings(self.status)) }
  }

  // MARK: - Requests

  /// Keeps a request, in the place of one with its identifier.
  open func add(
    _ request: UNNotificationRequest,
    withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    queue.async {
      self.requests.removeAll { $0.identifier == request.identifier }
      self.requests.append(request)
      completionHandler?(nil)
    }
  }

  /// Reads the requests.
  open func getPendingNotificationRequests(
    completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
  ) {
    queue.async { completionHandler(self.requests) }
  }

  /// Takes requests back.
  open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
    queue.async { self.requests.removeAll { identifiers.contains($0.identifier) } }
  }

  /// Takes all requests back.
  open func removeAllPendingNotificationRequests() {
    queue.async { self.requests = [] }
  }

  // MARK: - What was delivered

  /// Reads what was delivered: nothing.
  open func getDeliveredNotifications(
    completionHandler: @escaping @Sendable ([UNNotification]) -> Void
  ) {
    queue.async { completionHandler([]) }
  }

  /// Takes delivered notifications back.
  open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {}

  /// Takes all delivered notifications back.
  open func removeAllDeliveredNotifications() {}

  /// Sets the number on the application's icon, which has none here.
  open func setBadgeCount(
    _ newBadgeCount: Int,
    withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    queue.async { completionHandler?(nil) }
  }

  // MARK: - Categories

  /// Sets the categories.
  open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
    queue.async { self.categories = categories }
  }

  /// Reads the categories.
  open func getNotificationCategories(
    completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
  ) {
    queue.async { completionHandler(self.categories) }
  }
}

extension UNUserNotificationCenter {
  /// Asks for permission, which nobody gives.
  public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      requestAuthorization(options: options) { isGranted, error in
        if let error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(returning: isGranted)
        }
      }
    }
  }

  /// What the application may show.
  public func notificationSettings() async -> UNNotificationSettings {
    await withCheckedContinuation { continuation in
      getNotificationSettings { continuation.resume(returning: $0) }
    }
  }

  /// Keeps a request, in the place of one with its identifier.
  public func add(_ request: UNNotificationRequest) async throws {
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      add(request) { error in continuation.resume(with: error.map { .failure($0) } ?? .success(()))
      }
    }
  }

  /// The requests.
  public func pendingNotificationRequests() async -> [UNNotificationRequest] {
    await withCheckedContinuation { continuation in
      getPendingNotificationRequests { continuation.resume(returning: $0) }
    }
  }

  /// What was delivered: nothing.
  public func deliveredNotifications() async -> [UNNotification] { [] }

  /// The categories.
  public func notificationCategories() async -> Set<UNNotificationCategory> {
    await withCheckedContinuation { continuation in
      getNotificationCategories { continuation.resume(returning: $0) }
    }
  }

  /// Sets the number on the application's icon, which has none here.
  public func setBadgeCount(_ newBadgeCount: Int) async throws {}
}

/// Who hears of notifications.
public protocol UNUserNotificationCenterDelegate: AnyObject {
  /// A notification is about to be shown while the application is in front.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void)

  /// Something was chosen of a notification.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void)

  /// The settings of the application are wanted.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
}

extension UNUserNotificationCenterDelegate {
  /// Does nothing, as on Apple's systems where the method is missing.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) { completionHandler([]) }

  /// Does nothing, as on Apple's systems where the method is missing.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) { completionHandler() }

  /// Does nothing, as on Apple's systems where the method is missing.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
  ) {}
}
