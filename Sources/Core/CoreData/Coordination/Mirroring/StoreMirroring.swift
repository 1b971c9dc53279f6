/// A way to keep stores equal to others elsewhere. CoreDataSync makes it, the options of a store
/// carry it, and who opens the store starts it: Core Data knows no more of it.
package final class StoreMirroring: Hashable, Sendable {
  package typealias Start =
    @Sendable (NSPersistentStore, NSPersistentStoreCoordinator, StoreMirrors) -> any StoreMirror

  private let start: Start

  /// - Parameter start: begins to mirror a store that was just opened.
  package init(_ start: @escaping Start) { self.start = start }

  func makeMirror(
    of store: NSPersistentStore, _ coordinator: NSPersistentStoreCoordinator,
    mirrors: StoreMirrors
  ) -> any StoreMirror {
    start(store, coordinator, mirrors)
  }

  package static func == (left: StoreMirroring, right: StoreMirroring) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Mirrors one store until nobody has it any more.
package protocol StoreMirror: AnyObject, Sendable {}
