import CoreData
import PostgreSQLServer
import Synchronization
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
    notes.wait(for: before)
    // Who saves does not listen.
    if hasHistory { options[NSPersistentStoreRemoteChangeNotificationPostOptionKey] = nil }
    let saver = try ServerStack.open(url, options)
    let server = try stack.connection()
    let listening =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 "
      + "AND pid <> pg_backend_pid()"
    // A moment in which the listener is not there: it is back after 50 ms at the soonest.
    #expect(try server.query(listening, [.text(name)]).count >= 1)
    try stack.add("meanwhile", in: stack.context(saver))
    notes.wait(for: before + 1)
    #expect(notes.count >= before + 1)
    try stack.add("afterwards", in: stack.context(saver))
    notes.wait(for: before + 2)
    #expect(notes.count >= before + 2)
  }

  private final class Notes: Sendable {
    private let counted = Mutex(0)
    private let observer: Mutex<(any NSObjectProtocol)?> = Mutex(nil)

    var count: Int { counted.withLock { $0 } }

    init(of coordinator: NSPersistentStoreCoordinator) {
      let made = NotificationCenter.default.addObserver(
        forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
      ) { [weak self] _ in self?.counted.withLock { $0 += 1 } }
      let box = Unchecked(made)
      observer.withLock { $0 = box.value }
    }

    deinit {
      observer.withLock { if let made = $0 { NotificationCenter.default.removeObserver(made) } }
    }

    func wait(for wanted: Int) {
      let end = Date(timeIntervalSinceNow: 20)
      while count < wanted, Date() < end { Thread.sleep(forTimeInterval: 0.005) }
    }
  }

  /// Sendable: handed over once.
  private struct Unchecked: @unchecked Sendable {
    let value: any NSObjectProtocol

    init(_ value: any NSObjectProtocol) { self.value = value }
  }
}
