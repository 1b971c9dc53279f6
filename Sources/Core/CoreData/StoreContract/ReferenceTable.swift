import Synchronization

/// The reference objects of a client's store, by which the client knows its objects, and the keys
/// that represent them in object IDs. A known reference stays until the store goes.
///
/// Sendable: guarded by its lock; references are value-like objects (strings, numbers, UUIDs).
final class ReferenceTable: Sendable {
  /// One reference of one entity.
  private struct Place: Hashable {
    let entity: Int
    let reference: NSObject
  }

  // Sendable: used under the lock of `state` alone.
  private struct State: @unchecked Sendable {
    var keys: [Place: Int64] = [:]
    /// The references, indexed by key - 1.
    var references: [Any] = []
  }

  private let state = Mutex(State())

  /// The key of a reference, equal for equal references. Traps for a reference that does not derive
  /// from `NSObject`.
  func key(of reference: Any, _ layout: EntityLayout) -> Int64 {
    let place = Self.place(reference, layout: layout)
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

  /// A reference on its way through the lock. Sendable: a value-like object, which is not changed.
  private struct Reference: @unchecked Sendable {
    let value: Any
  }

  private static func place(_ reference: Any, layout: EntityLayout) -> Place {
    guard let object = (reference as AnyObject) as? NSObject else {
      fatalError(
        "A \(type(of: reference)) cannot be the reference of an object: use a string, a number, a "
          + "UUID, data, or another class that derives from NSObject and can be compared.")
    }
    return Place(entity: layout.number, reference: object)
  }

  // MARK: - Texts

  /// The text of a key's reference in a URI: its description, percent-encoded as a path.
  func text(of key: Int64) -> String? {
    reference(of: key).map {
      "\($0)".addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
    }
  }

  /// The key of the reference that a text of a URI stands for: the text itself if that is a known
  /// reference, else its number if it is one, else the text itself.
  func key(forText text: String, _ layout: EntityLayout) -> Int64 {
    let isKnown = state.withLock { $0.keys[Self.place(text, layout: layout)] != nil }
    if !isKnown, let number = Int64(text) { return key(of: NSNumber(value: number), layout) }
    return key(of: text, layout)
  }
}
