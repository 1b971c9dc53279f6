import Foundation

/// The index of every item in the whole list, computed at the first lookup.
///
/// A snapshot owns one and replaces it when its items change; copies of the snapshot share it.
/// Unchecked because the dictionary is only accessed under the lock, and never changes once it
/// exists.
final class ItemIndex<Identifier: Hashable & Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var places: [Identifier: Int]?

  var isBuilt: Bool { lock.withLock { places != nil } }

  func place(of identifier: Identifier, in identifiers: () -> [Identifier]) -> Int? {
    lock.withLock {
      let places = self.places ?? Self.places(in: identifiers())
      self.places = places
      return places[identifier]
    }
  }

  private static func places(in identifiers: [Identifier]) -> [Identifier: Int] {
    var places = [Identifier: Int](minimumCapacity: identifiers.count)
    for (place, identifier) in identifiers.enumerated() { places[identifier] = place }
    return places
  }
}
