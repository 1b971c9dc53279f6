import Foundation
import Testing
import UserNotifications

/// Notifications as an application's models schedule them.
@Suite(.serialized) struct NotificationCenterTests {
  private let center = UNUserNotificationCenter.current()

  private func request(_ identifier: String, _ title: String = "") -> UNNotificationRequest {
    let content = UNMutableNotificationContent()
    content.title = title
    content.sound = .default
    content.userInfo = ["book": 1]
    let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true)
    return UNNotificationRequest(identifier: identifier, content: content, trigger: trigger)
  }

  @Test func requestsArePendingUntilTheyAreTakenBack() async throws {
    center.removeAllPendingNotificationRequests()
    try await center.add(request("a", "first"))
    try await center.add(request("b"))
    try await center.add(request("a", "second"))
    var pending = await center.pendingNotificationRequests()
    #expect(pending.map(\.identifier) == ["b", "a"])
    #expect(pending.last?.content.title == "second")
    center.removePendingNotificationRequests(withIdentifiers: ["b"])
    pending = await center.pendingNotificationRequests()
    #expect(pending == [request("a", "second")])
    center.removeAllPendingNotificationRequests()
    #expect(await center.pendingNotificationRequests().isEmpty)
    #expect(await center.deliveredNotifications().isEmpty)
  }

  @Test func nobodyAllowsNotifications() async throws {
    #expect(try await center.requestAuthorization(options: [.alert, .badge]) == false)
    let settings = await center.notificationSettings()
    #expect(settings.authorizationStatus == .denied)
    #expect(settings.alertSetting == .disabled)
  }

  @Test func categoriesAreKept() async {
    let action = UNNotificationAction(identifier: "yes", title: "Yes", options: .foreground)
    let category = UNNotificationCategory(
      identifier: "day", actions: [action], intentIdentifiers: [])
    center.setNotificationCategories([category])
    #expect(await center.notificationCategories() == [category])
  }

  @Test func aRequestHasACopyOfItsContent() {
    let content = UNMutableNotificationContent()
    content.body = "now"
    let request = UNNotificationRequest(identifier: "a", content: content, trigger: nil)
    let copy = content.mutableCopy() as? UNMutableNotificationContent
    content.body = "later"
    copy?.badge = 1
    #expect(request.content.body == "now")
    #expect(content.badge == nil)
    #expect(copy?.body == "now")
    #expect(content != copy && content.copy() as? UNNotificationContent == content)
  }

  @Test func triggersKnowWhenTheyAreDue() throws {
    let now = Date()
    let seconds = UNTimeIntervalNotificationTrigger(timeInterval: 90, repeats: false)
    let due = try #require(seconds.nextTriggerDate())
    #expect((80...91).contains(due.timeIntervalSince(now)))
    let time = UNCalendarNotificationTrigger(
      dateMatching: DateComponents(hour: 7, minute: 30), repeats: true)
    let morning = try #require(time.nextTriggerDate())
    #expect(Calendar.current.dateComponents([.hour, .minute], from: morning).minute == 30)
    #expect(morning > now)
    let past = DateComponents(year: 2000, month: 1, day: 1)
    #expect(
      UNCalendarNotificationTrigger(dateMatching: past, repeats: false).nextTriggerDate() == nil)
  }

  @Test func anAttachmentNeedsItsFile() {
    #expect(throws: UNError.self) {
      try UNNotificationAttachment(identifier: "", url: URL(fileURLWithPath: "/no/such.png"))
    }
  }
}
