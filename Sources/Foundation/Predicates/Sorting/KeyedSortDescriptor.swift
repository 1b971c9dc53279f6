import Foundation
import KeyValueCoding

/// A sort descriptor that reads a key path by key-value coding, made by
/// `NSSortDescriptor(key:ascending:)`. Immutable.
public final class KeyedSortDescriptor: NSSortDescriptor {
  /// The order of two values.
  package enum Order {
    /// `compare:` and the other selectors, by name.
    case selector(SortSelector)
    /// A selector that is not supported; comparing traps.
    case unknownSelector(String)
    case comparator(Comparator)
  }

  package let path: String?
  package let order: Order
  private let valuePath: Result<ValuePath?, any Error>

  package init(path: String?, ascending: Bool, order: Order) {
    self.path = path
    self.order = order
    valuePath = Result { try path.map(ValuePath.init) }
    super.init(keyPath: \NSObject.self, ascending: ascending, comparator: { _, _ in .orderedSame })
  }

  /// Makes a descriptor for a Swift key path, which stays available as `keyPath`.
  package init<Root, Value>(swiftKeyPath: Swift.KeyPath<Root, Value>, ascending: Bool, order: Order)
  {
    let path = KeyPathName.name(of: swiftKeyPath)
    self.path = path
    self.order = order
    valuePath = Result { try path.map(ValuePath.init) }
    super.init(keyPath: swiftKeyPath, ascending: ascending, comparator: { _, _ in .orderedSame })
  }

  /// The order of two objects; nil comes first if ascending. Traps where Apple's raises an
  /// exception: for a key that does not exist, for values without an order.
  public override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
    trapping { try order(object1, object2) }
  }

  private func order(_ first: Any, _ second: Any) throws -> ComparisonResult {
    let result = try orderAscending(value(of: first), value(of: second))
    return ascending ? result : ComparisonResult(rawValue: -result.rawValue) ?? .orderedSame
  }

  /// The value of the key. A Swift key path without a known name is read directly.
  private func value(of object: Any) throws -> Any? {
    if let path = try valuePath.get() { return try path.value(of: object) }
    if type(of: keyPath).valueType == NSObject.self { return object }
    return object[keyPath: keyPath]
  }

  private func orderAscending(_ first: Any?, _ second: Any?) throws -> ComparisonResult {
    switch order {
    case .selector(let selector): return try selector.order(TypedValue(first), TypedValue(second))
    case .comparator(let comparator): return comparator(first ?? NSNull(), second ?? NSNull())
    case .unknownSelector(let name):
      throw PredicateEvaluationError("NSSortDescriptor: the selector \(name) is not supported.")
    }
  }

  /// Orders two values of the key, ascending regardless of `ascending`: the comparator of the
  /// descriptor, or the order of its selector.
  public override var comparator: Comparator {
    { [self] first, second in trapping { try orderAscending(first, second) } }
  }

  /// A descriptor with the opposite direction.
  public override var reversedSortDescriptor: Any {
    KeyedSortDescriptor(path: path, ascending: !ascending, order: order)
  }

  public override var description: String {
    let direction = ascending ? "ascending" : "descending"
    return "(\(path ?? "(null)"), \(direction), \(selectorText))"
  }

  private var selectorText: String {
    switch order {
    case .selector(let selector): selector.rawValue
    case .unknownSelector(let name): name
    case .comparator: "comparator"
    }
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? KeyedSortDescriptor else { return false }
    if other === self { return true }
    if case .comparator = order { return false }
    return path != nil && description == other.description
  }

  public override var hash: Int { description.hashValue }
}
