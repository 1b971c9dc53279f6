import Foundation

/// What the notifications of a save carry.
///
/// A set of the IDs of a hundred thousand objects takes a good part of the time that writing them does: where
/// the save is large, another thread makes the sets while the store writes.
final class SaveAnnouncement {
  private let ahead: Ahead<Sets>?
  private let saved: SavedObjects
  private var lastEvent: EventSets

  struct Sets {
    var userInfo: [AnyHashable: Any]
    var identityUserInfo: [AnyHashable: Any]
  }

  /// From as many objects on it is worth another thread.
  private static let large = 2000

  /// - Parameter lastEvent: Whose sets are there already.
  init(of saved: SavedObjects, _ lastEvent: EventSets) {
    self.saved = saved
    self.lastEvent = lastEvent
    // The store reads rows meanwhile, which are no part of a set; the context's queue waits for the store.
    ahead = saved.count >= Self.large ? Ahead { saved.sets(lastEvent) } : nil
  }

  /// To be asked for once. From here on the objects are kept by nothing but what they are listed in, in their
  /// order: when they are freed in the order of a set, each is far from the one before it.
  func takeSets() -> Sets {
    defer { lastEvent = .none }
    return ahead?.value ?? saved.sets(lastEvent)
  }

  /// The save has failed.
  func cancel() { ahead?.cancel() }

  /// The IDs of a large save, told by now: to be freed by another thread, for it takes as long as making them,
  /// and nobody can tell.
  struct Leftover {
    private let last: Last

    init?(_ sets: consuming Sets, of saved: SavedObjects) {
      guard saved.count >= large else { return nil }
      last = Last(sets.identityUserInfo)
    }

    /// Not before the objects are freed, which have references to the same things: two threads that count
    /// them at once wait for each other at every step.
    func release() {
      DispatchQueue.global(qos: .utility).async { [last] in last.release() }
    }
  }

  /// Sendable: the one who has it is the last.
  private final class Last: @unchecked Sendable {
    private var value: [AnyHashable: Any]
    init(_ value: [AnyHashable: Any]) { self.value = value }
    func release() { value = [:] }
  }
}
