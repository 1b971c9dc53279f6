import Foundation

/// An array, set, ordered set or dictionary, Swift's or Foundation's, seen as a list of elements.
package struct ElementCollection {
  package enum Kind: Equatable { case array, set, orderedSet, dictionary }

  package let kind: Kind
  private let source: Any

  /// Nil for what is no collection.
  package init?(_ value: Any) {
    switch value {
    case is NSArray, is [Any]: kind = .array
    case is NSSet, is Set<AnyHashable>: kind = .set
    case is NSOrderedSet: kind = .orderedSet
    case is NSDictionary, is [AnyHashable: Any]: kind = .dictionary
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
