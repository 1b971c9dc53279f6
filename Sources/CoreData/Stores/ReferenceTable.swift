import Synchronization

/// The references of a client's store: what the client knows its objects by, and the keys that stand for
/// them in object IDs. A reference that has been seen stays for as long as the store.
///
/// Sendable: guarded by its lock; a reference is a value-like object.
final class ReferenceTable: Sendable {
  /// One reference of one entity.
  private struct Place: Hashable {
    let entity: Int
    let reference: NSObject
  }

  private struct State: @unchecked Sendable {
    var keys: [Place: Int64] = [:]
    /// By key, from 1.
    var references: [Any] = []
  }

  private let state = Mutex(State())

  /// The key of a reference, the same each time. Traps for what cannot be compared.
  func key(of reference: Any, _ layout: EntityLayout) -> Int64 {
    let place = Self.place(reference, layout)
    let new = Reference(value: reference)
    return state.withLock { state in
      if let known = state.keys[place] { return known }
      state.references.append(new.value)
      let key = Int64(state.references.count)
      state.keys[place] = key
      return key
    }
  }

  func reference(of key: Int64) -> Any? {
    state.withLock { state in
      let index = Int(key) - 1
      return state.references.indices.contains(index)
        ? Reference(value: state.references[index]) : nil
    }?.value
  }

  /// On its way through the lock.
  private struct Reference: @unchecked Sendable {
    let value: Any
  }

  private static func place(_ reference: Any, _ layout: EntityLayout) -> Place {
    guard let object = (reference as AnyObject) as? NSObject else {
      fatalError(
        "A \(type(of: reference)) cannot be the reference of an object: use a string, a number, a "
          + "UUID, data, or another class that derives from NSObject and can be compared.")
    }
    return Place(entity: layout.number, reference: object)
  }

  // MARK: - Texts

  /// How the reference of a key reads in a URI: its description, escaped as a path.
  func text(of key: Int64) -> String? {
    reference(of: key).map {
      "\($0)".addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
    }
  }

  /// The key of the reference that a URI's text stands for: the text as it is when that is known, else
  /// the number that it is, else the text.
  func key(forText text: String, _ layout: EntityLayout) -> Int64 {
    let isKnown = state.withLock { $0.keys[Self.place(text, layout)] != nil }
    if !isKnown, let number = Int64(text) { return key(of: NSNumber(value: number), layout) }
    return key(of: text, layout)
  }
}
