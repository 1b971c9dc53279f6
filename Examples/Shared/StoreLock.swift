import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// Waits for another program that is writing to the store, on behalf of all windows: nobody waits on the main queue,
/// and every window says what it waits for.
@MainActor
package final class StoreLock {
  /// How long the main queue itself waits, seconds: no longer than a click may take.
  package nonisolated static let mainQueueTimeout: TimeInterval = 0.05
  /// So long a wait is not worth a word.
  private static let silence = Duration.milliseconds(250)

  private let coordinator: NSPersistentStoreCoordinator
  /// The store, as people are told.
  private let name: String
  private let timeout: TimeInterval
  /// How many saves wait.
  private var waiting = 0

  /// - Parameter timeout: of the store, in seconds.
  package nonisolated init(
    _ coordinator: NSPersistentStoreCoordinator, name: String, timeout: TimeInterval
  ) {
    self.coordinator = coordinator
    self.name = name
    self.timeout = timeout
  }

  /// Whether an error says that somebody else is writing.
  package nonisolated static func isCause(of error: any Error) -> Bool {
    let error = error as NSError
    return error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreTimeoutError
  }

  /// Runs `body`, which saves, once nobody else writes. Throws what it throws, and a ``Refusal`` when somebody goes on
  /// writing for longer than the store's timeout.
  package func waiting(_ body: @MainActor () throws -> Void) async throws {
    begin()
    defer { end() }
    let deadline = ContinuousClock.now + .seconds(timeout)
    while true {
      do {
        try await waitUntilWritable()
        return try body()
      } catch  where Self.isCause(of: error) {
        // The next program may have been quicker than we are.
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

  // MARK: - What windows say

  private func begin() {
    waiting += 1
    guard waiting == 1 else { return }
    Task { [weak self] in
      // A sleep that is cancelled ends with its task, which nobody cancels.
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
