import CoreData
import Synchronization

/// The identifiers of a custom store and the object IDs that stand for them in contexts.
///
/// Core Data wants a permanent ID before a save, a custom store gives its identifier by it: until then the ID of a new
/// object stands for the temporary identifier. An identifier that has been met stays for as long as the store.
///
/// Sendable: guarded by its lock.
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

  /// The ID of an identifier, made of a number where it is new.
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
      // Another thread may have been faster.
      if let known = state.ids[identifier] { return KnownID(id: known) }
      state.ids[identifier] = made.id
      state.identifiers[made.id] = identifier
      return made
    }.id
  }

  /// A new model has been saved. Returns false when the identifier is another model's.
  func replace(_ temporary: PersistentIdentifier, by permanent: PersistentIdentifier) -> Bool {
    state.withLock { state in
      guard let id = state.ids[temporary], state.ids[permanent] == nil else { return false }
      state.ids[temporary] = nil
      state.ids[permanent] = id
      state.identifiers[id] = permanent
      return true
    }
  }

  /// Object IDs may be passed between threads.
  private struct KnownID: @unchecked Sendable {
    let id: NSManagedObjectID
  }
}
