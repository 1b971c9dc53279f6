import Foundation

/// An array, set, ordered set or dictionary, Swift's or Foundation's, seen as a list of elements.
package struct ElementCollection {
  package enum Kind: Equatable { case array, set, orderedSet, dictionary }

  package let kind: Kind
  private let source: Any

  /// Nil for what is no collection.
  package init?(_ value: Any) {
    if let object = classInstance(value) {
      self.init(object: object)
    } else {
      self.init(structure: value)
    }
  }

  /// Tests for Foundation's classes alone.
  init?(object: AnyObject) {
    switch object {
    case is NSArray: kind = .array
    case is NSSet: kind = .set
    case is NSOrderedSet: kind = .orderedSet
    case is NSDictionary: kind = .dictionary
    default: return nil
    }
    source = object
  }

  /// Tests for Swift's own collections alone.
  private init?(structure value: Any) {
    switch value {
    case is [String: Any]: kind = .dictionary
    case is [Any]: kind = .array
    case is Set<AnyHashable>: kind = .set
    case is [AnyHashable: Any]: kind = .dictionary
    default: return nil
    }
    source = value
  }

  package init(array: [Any]) {
    (kind, source) = (.array, array)
  }

  /// The elements; a dictionary's are its values, as Apple's operators see them.
  package var elements: [Any] {
    switch source {
    case let array as [Any]: array
    case let set as NSSet: set.allObjects
    case let set as NSOrderedSet: set.array
    case let dictionary as NSDictionary: dictionary.allValues
    case let set as Set<AnyHashable>: set.map(\.base)
    case let dictionary as [AnyHashable: Any]: Array(dictionary.values)
    default: []
    }
  }

  package var count: Int {
    switch source {
    case let set as NSSet: set.count
    case let set as NSOrderedSet: set.count
    case let dictionary as NSDictionary: dictionary.count
    default: elements.count
    }
  }

  /// The collection as it was given.
  package var base: Any { source }

  /// A dictionary's value for a key, nil for the other kinds.
  package func value(forKey key: AnyHashable) -> Any? {
    switch source {
    case let dictionary as [String: Any] where key.base is String:
      (key.base as? String).flatMap { dictionary[$0] }
    case let dictionary as NSDictionary: dictionary.object(forKey: key.base)
    case let dictionary as [AnyHashable: Any]: dictionary[key]
    default: nil
    }
  }
}
