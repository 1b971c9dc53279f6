import Foundation

extension KeyValueCodable {
  /// A mutable set that stands for a to-many property: its changes are set on this object.
  public func mutableSetValue(forKey key: String) -> NSMutableSet {
    KeyedMutableSet(owner: self, key: key)
  }
}
