import Foundation

/// The user info of a save's notifications.
///
/// Making a set of the IDs of a hundred thousand objects takes a good part of the time that writing
/// the objects does: for a large save, another thread makes the sets while the store writes.
final class SaveAnnouncement {
  private let ahead: Ahead<Sets>?
  private let saved: SavedObjects
  private var lastEvent: EventSets

  struct Sets {
    var userInfo: [AnyHashable: Any]
    var identityUserInfo: [AnyHashable: Any]
  }

  /// The number of objects from which on another thread is worth its cost.
  private static let large = 2000

  /// - Parameter lastEvent: the sets of the last event, which are reused where they fit.
  init(of saved: SavedObjects, _ lastEvent: EventSets) {
    self.saved = saved
    self.lastEvent = lastEvent
    // Sound: the store meanwhile reads rows, which the sets are not made of, and the context's
    // queue waits for the store.
    ahead = saved.count >= Self.large ? Ahead { saved.sets(lastEvent) } : nil
  }

  /// The sets; may be called once. Afterwards only the lists of the save retain the objects, so
  /// that they are freed in the lists' order: in the order of a set, each would be far from the one
  /// before it.
  func takeSets() -> Sets {
    defer { lastEvent = .none }
    return ahead?.value ?? saved.sets(lastEvent)
  }

  /// Discards the sets of a failed save.
  func cancel() { ahead?.cancel() }

  /// The IDs of a large save after its notifications. Another thread frees them, since that takes
  /// as long as making them.
  struct Leftover {
    private let last: Last

    init?(_ sets: consuming Sets, of saved: SavedObjects) {
      guard saved.count >= large else { return nil }
      last = Last(sets.identityUserInfo)
    }

    /// Frees the IDs in the background. Call it after the objects are freed, which refer to the
    /// same memory: two threads that release such references at once slow each other down at every
    /// step.
    func release() {
      DispatchQueue.global(qos: .utility).async { [last] in last.release() }
    }
  }

  /// Sendable: the thread that releases the value holds the last reference to it.
  private final class Last: @unchecked Sendable {
    private var value: [AnyHashable: Any]
    init(_ value: [AnyHashable: Any]) { self.value = value }
    func release() { value = [:] }
  }
}
