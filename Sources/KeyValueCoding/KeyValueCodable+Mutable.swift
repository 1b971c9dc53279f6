import Foundation

extension KeyValueCodable {
  /// A mutable set that stands for a to-many property: its changes are set on this object.
  public func mutableSetValue(forKey key: String) -> NSMutableSet {
    KeyedMutableSet(owner: self, key: key)
  }

  /// A mutable array that stands for a to-many property in order: its changes are set on this object.
  public func mutableArrayValue(forKey key: String) -> NSMutableArray {
    KeyedMutableArray(owner: self, key: key)
  }

  /// A mutable ordered set that stands for an ordered to-many property: its changes are set on this
  /// object.
  public func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    KeyedMutableOrderedSet(owner: self, key: key)
  }

  /// The same for the property at the end of a path; traps where an object on the way is nil.
  public func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
    let (owner, key) = owner(of: keyPath)
    return owner.mutableSetValue(forKey: key)
  }

  /// The same for the property at the end of a path; traps where an object on the way is nil.
  public func mutableArrayValue(forKeyPath keyPath: String) -> NSMutableArray {
    let (owner, key) = owner(of: keyPath)
    return owner.mutableArrayValue(forKey: key)
  }

  /// The same for the property at the end of a path; traps where an object on the way is nil.
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
