import CoreData
import Synchronization

/// Maps the identifiers of a custom store to the object IDs that contexts use.
///
/// Core Data needs a permanent ID before a save, but a custom store returns its identifier from the
/// save. Until then, the object ID of a new model is mapped to its temporary identifier. Entries
/// stay for the lifetime of the store.
///
/// Thread-safe: a mutex guards the state. The state is marked Sendable since object IDs are
/// immutable.
final class IdentifierTable: Sendable {
  private struct State: @unchecked Sendable {
    var ids: [PersistentIdentifier: NSManagedObjectID] = [:]
    var identifiers: [NSManagedObjectID: PersistentIdentifier] = [:]
    var count = 0
  }

  private let state = Mutex(State())

  func identifier(of id: NSManagedObjectID) -> PersistentIdentifier? {
    state.withLock { $0.identifiers[id] }
  }

  /// The object ID of an identifier. `make` creates a new one from a serial number, outside of the
  /// lock.
  func id(
    of identifier: PersistentIdentifier, make: (Int) -> NSManagedObjectID
  ) -> NSManagedObjectID {
    let known = state.withLock { state in
      state.ids[identifier].map(KnownID.init)
    }
    if let known { return known.id }
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    let made = KnownID(id: make(number))
    return state.withLock { state in
      // Another thread may have added the identifier in the meantime.
      if let known = state.ids[identifier] { return KnownID(id: known) }
      state.ids[identifier] = made.id
      state.identifiers[made.id] = identifier
      return made
    }.id
  }

  /// Replaces the temporary identifier of a saved model. Returns false if another model has the
  /// permanent one.
  func replace(_ temporary: PersistentIdentifier, by permanent: PersistentIdentifier) -> Bool {
    state.withLock { state in
      guard let id = state.ids[temporary], state.ids[permanent] == nil else { return false }
      state.ids[temporary] = nil
      state.ids[permanent] = id
      state.identifiers[id] = permanent
      return true
    }
  }

  /// Sendable: object IDs are immutable.
  private struct KnownID: @unchecked Sendable {
    let id: NSManagedObjectID
  }
}
