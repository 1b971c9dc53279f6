import CoreData
import PostgreSQLServer
import Synchronization
import TestSupport
import Testing

@testable import PostgreSQLStore

/// Who follows a store goes on after its connection was cut, and hears of what it has missed.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct ReconnectionTests {
  /// - Parameter before: saves before the cut: none, so that the history is empty, or some.
  @Test(arguments: [true, false], [0, 2])
  func whatWasSavedMeanwhileIsTold(hasHistory: Bool, before: Int) throws {
    var options: [AnyHashable: Any] = [
      NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
      NSPersistentHistoryTrackingKey: hasHistory,
    ]
    let stack = try ServerStack()
    let url = stack.url
    let name = "follower \(hasHistory) \(before)"
    let escaped = name.replacing(" ", with: "%20")
    let following = try ServerStack.open(
      #require(URL(string: "\(url.absoluteString)&application_name=\(escaped)")), options)
    let notes = Notes(of: following)
    for number in 0..<before {
      try stack.add("before \(number)", in: stack.context(following))
    }
    try notes.wait(for: before)
    // Who saves does not listen.
    if hasHistory { options[NSPersistentStoreRemoteChangeNotificationPostOptionKey] = nil }
    let saver = try ServerStack.open(url, options)
    let server = try stack.connection()
    let listening =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 "
      + "AND pid <> pg_backend_pid()"
    // Mostly a moment in which the listener is not there: it is back after 50 ms at the soonest.
    #expect(try server.query(listening, parameters: [.text(name)]).count >= 1)
    try stack.add("meanwhile", in: stack.context(saver))
    try notes.wait(for: before + 1)
    try stack.add("afterwards", in: stack.context(saver))
    try notes.wait(for: before + 2)
  }

  private final class Notes: Sendable {
    private let told = Occurrences()
    private let observer: Mutex<(any NSObjectProtocol)?> = Mutex(nil)

    init(of coordinator: NSPersistentStoreCoordinator) {
      let made = NotificationCenter.default.addObserver(
        forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
      ) { [told] _ in told.note() }
      let box = Unchecked(made)
      observer.withLock { $0 = box.value }
    }

    deinit {
      observer.withLock { if let made = $0 { NotificationCenter.default.removeObserver(made) } }
    }

    func wait(for wanted: Int) throws { try told.wait(for: "notes of saves", times: wanted) }
  }

  /// Sendable: handed over once.
  private struct Unchecked: @unchecked Sendable {
    let value: any NSObjectProtocol

    init(_ value: any NSObjectProtocol) { self.value = value }
  }
}
