import Foundation

extension KeyValueCodable {
  /// A mutable set backed by a to-many property: changes are set on this object, and reads show its
  /// current value.
  public func mutableSetValue(forKey key: String) -> NSMutableSet {
    KeyedMutableSet(owner: self, key: key)
  }

  /// A mutable array backed by an ordered to-many property: changes are set on this object, and
  /// reads show its current value.
  public func mutableArrayValue(forKey key: String) -> NSMutableArray {
    KeyedMutableArray(owner: self, key: key)
  }

  /// A mutable ordered set backed by an ordered to-many property: changes are set on this object,
  /// and reads show its current value.
  public func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    KeyedMutableOrderedSet(owner: self, key: key)
  }

  /// A mutable set backed by the to-many property at the end of a path. Traps if an object on the
  /// way is nil.
  public func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
    let (owner, key) = owner(of: keyPath)
    return owner.mutableSetValue(forKey: key)
  }

  /// A mutable array backed by the to-many property at the end of a path. Traps if an object on the
  /// way is nil.
  public func mutableArrayValue(forKeyPath keyPath: String) -> NSMutableArray {
    let (owner, key) = owner(of: keyPath)
    return owner.mutableArrayValue(forKey: key)
  }

  /// A mutable ordered set backed by the to-many property at the end of a path. Traps if an object
  /// on the way is nil.
  public func mutableOrderedSetValue(forKeyPath keyPath: String) -> NSMutableOrderedSet {
    let (owner, key) = owner(of: keyPath)
    return owner.mutableOrderedSetValue(forKey: key)
  }

  private func owner(of keyPath: String) -> (any KeyValueCodable, key: String) {
    let (owner, key) = trapping { try ValuePath(keyPath).owner(from: self) }
    guard let owner = owner as? any KeyValueCodable else {
      fatalError("the path \(keyPath) of \(type(of: self)) leads to no object that answers keys")
    }
    return (owner, key)
  }
}
