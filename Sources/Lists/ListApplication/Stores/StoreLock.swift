import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// Waits for another process that is writing to the store, on behalf of all windows. The main queue
/// is not blocked, and every window shows a message.
@MainActor
package final class StoreLock {
  /// How long the main queue itself may wait, in seconds: no longer than a click may take.
  package nonisolated static let mainQueueTimeout: TimeInterval = 0.05
  /// The wait before the message is shown.
  private static let silence = Duration.milliseconds(250)

  private let coordinator: NSPersistentStoreCoordinator
  /// The store's name in messages.
  private let name: String
  private let timeout: TimeInterval
  /// The number of waiting saves.
  private var waiting = 0

  /// - Parameter timeout: the store's timeout, in seconds.
  package nonisolated init(
    _ coordinator: NSPersistentStoreCoordinator, name: String, timeout: TimeInterval
  ) {
    self.coordinator = coordinator
    self.name = name
    self.timeout = timeout
  }

  /// Returns true if the error means that another process is writing (134090).
  package nonisolated static func isCause(of error: any Error) -> Bool {
    let error = error as NSError
    return error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreTimeoutError
  }

  /// Runs `body`, which saves, once no other process is writing.
  /// - Throws: the errors of `body`; ``Refusal`` if other processes write for longer than the
  ///   timeout.
  package func waiting(_ body: @MainActor () throws -> Void) async throws {
    begin()
    defer { end() }
    let deadline = ContinuousClock.now + .seconds(timeout)
    while true {
      do {
        try await waitUntilWritable()
        return try body()
      } catch  where Self.isCause(of: error) {
        // Another process may have locked the store again.
        if ContinuousClock.now < deadline { continue }
        throw Refusal(
          "Another program has been writing to \(name) for \(Int(timeout)) seconds.")
      }
    }
  }

  private func waitUntilWritable() async throws {
    let coordinator = coordinator
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try coordinator.waitUntilWritable() })
      }
    }
  }

  // MARK: - Message of the windows

  private func begin() {
    waiting += 1
    guard waiting == 1 else { return }
    Task { [weak self] in
      // The task is never cancelled, so the sleep cannot throw.
      try? await Task.sleep(for: Self.silence)
      guard let self, waiting > 0 else { return }
      UIApplication.shared.waitingText =
        "Waiting for another program that is writing to \(name)…"
    }
  }

  private func end() {
    waiting -= 1
    if waiting == 0 { UIApplication.shared.waitingText = nil }
  }
}
