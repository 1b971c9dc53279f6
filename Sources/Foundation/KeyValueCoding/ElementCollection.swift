import Foundation

/// An array, set, ordered set or dictionary, Swift's or Foundation's, as a list of elements.
///
/// Also the result of a key for the members of a set. Foundation's sets on this platform treat
/// canonically equivalent strings as equal, which Apple's do not, so that a comparison with one of
/// them would find nothing. Results become a set of Foundation's only when they leave key-value
/// coding.
package struct ElementCollection {
  package enum Kind: Equatable { case array, set, orderedSet, dictionary }

  /// Foundation's and Swift's kinds are separate, because a cast from one to the other copies all
  /// elements.
  private enum Storage {
    case array([Any])
    case swiftSet(Set<AnyHashable>)
    case swiftDictionary([String: Any])
    case hashableDictionary([AnyHashable: Any])
    case foundationArray(NSArray)
    case foundationSet(NSSet)
    case orderedSet(NSOrderedSet)
    case foundationDictionary(NSDictionary)
    case values([Any], Kind)
  }

  private let storage: Storage

  /// Returns nil if the value is not a collection.
  package init?(_ value: Any) {
    let found =
      if let object = classInstance(value) { Self.storage(of: object) } else {
        Self.storage(ofStructure: value)
      }
    guard let found else { return nil }
    storage = found
  }

  /// Returns nil unless the object is a collection class of Foundation's.
  init?(object: AnyObject) {
    guard let found = Self.storage(of: object) else { return nil }
    storage = found
  }

  /// Returns whether a value that is not a class instance is one of Swift's collections. Does not
  /// read the elements; a cast would copy all of them.
  package static func isCollection(_ value: Any) -> Bool { value is any SwiftCollection }

  package init(array: [Any]) { storage = .array(array) }

  /// Makes a set or an ordered set of values; keeps the first of equal ones.
  package init(distinct values: [Any], kind: Kind) {
    var seen: Set<TypedValue> = []
    storage = .values(values.filter { seen.insert(TypedValue($0)).inserted }, kind)
  }

  private static func storage(of object: AnyObject) -> Storage? {
    switch object {
    case let array as NSArray: .foundationArray(array)
    case let set as NSSet: .foundationSet(set)
    case let set as NSOrderedSet: .orderedSet(set)
    case let dictionary as NSDictionary: .foundationDictionary(dictionary)
    default: nil
    }
  }

  private static func storage(ofStructure value: Any) -> Storage? {
    switch value {
    case let dictionary as [String: Any]: .swiftDictionary(dictionary)
    case let array as [Any]: .array(array)
    case let set as Set<AnyHashable>: .swiftSet(set)
    case let dictionary as [AnyHashable: Any]: .hashableDictionary(dictionary)
    case let collection as ElementCollection: collection.storage
    default: nil
    }
  }

  package var kind: Kind {
    switch storage {
    case .array, .foundationArray: .array
    case .swiftSet, .foundationSet: .set
    case .orderedSet: .orderedSet
    case .swiftDictionary, .hashableDictionary, .foundationDictionary: .dictionary
    case .values(_, let kind): kind
    }
  }

  /// The elements; those of a dictionary are its values, as for Apple's operators.
  package var elements: [Any] {
    switch storage {
    case .array(let array): array
    case .swiftSet(let set): set.map(\.base)
    case .swiftDictionary(let dictionary): Array(dictionary.values)
    case .hashableDictionary(let dictionary): Array(dictionary.values)
    case .foundationArray(let array): array.map { $0 }
    case .foundationSet(let set): set.allObjects
    case .orderedSet(let set): set.array
    case .foundationDictionary(let dictionary): dictionary.allValues
    case .values(let values, _): values
    }
  }

  package var count: Int {
    switch storage {
    case .array(let array): array.count
    case .swiftSet(let set): set.count
    case .swiftDictionary(let dictionary): dictionary.count
    case .hashableDictionary(let dictionary): dictionary.count
    case .foundationArray(let array): array.count
    case .foundationSet(let set): set.count
    case .orderedSet(let set): set.count
    case .foundationDictionary(let dictionary): dictionary.count
    case .values(let values, _): values.count
    }
  }

  /// The collection as Swift's or Foundation's type.
  package var base: Any {
    switch storage {
    case .array(let array): array
    case .swiftSet(let set): set
    case .swiftDictionary(let dictionary): dictionary
    case .hashableDictionary(let dictionary): dictionary
    case .foundationArray(let array): array
    case .foundationSet(let set): set
    case .orderedSet(let set): set
    case .foundationDictionary(let dictionary): dictionary
    case .values(let values, .orderedSet): NSOrderedSet(array: values.map(KeyedValue.bridged))
    case .values(let values, _): NSSet(array: values.map(KeyedValue.bridged))
    }
  }

  /// The value of a dictionary for a key; nil for the other kinds.
  package func value(forKey key: AnyHashable) -> Any? {
    switch storage {
    case .swiftDictionary(let dictionary): (key.base as? String).flatMap { dictionary[$0] }
    case .hashableDictionary(let dictionary): dictionary[key]
    case .foundationDictionary(let dictionary): dictionary.object(forKey: key.base)
    default: nil
    }
  }
}

/// The Swift types that ``ElementCollection`` accepts.
private protocol SwiftCollection {}

extension Array: SwiftCollection {}
extension Set: SwiftCollection {}
extension Dictionary: SwiftCollection {}
extension ElementCollection: SwiftCollection {}
