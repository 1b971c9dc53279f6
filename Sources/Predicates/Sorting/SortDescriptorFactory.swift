import Foundation
import KeyValueCoding

/// Gives Foundation's `NSSortDescriptor` the initialisers and properties that Apple's has.
public protocol SortDescriptorFactory {}

extension NSSortDescriptor: SortDescriptorFactory {}

extension SortDescriptorFactory where Self: NSSortDescriptor {
  /// Sorts by the value of a key path, or the objects themselves when it is nil.
  public init(key: String?, ascending: Bool) {
    self.init(key: key, ascending: ascending, selectorName: nil)
  }

  /// Sorts by the value of a key path with a comparator, which gets `NSNull` for nil.
  public init(key: String?, ascending: Bool, comparator: @escaping Comparator) {
    self = made(
      KeyedSortDescriptor(path: key, ascending: ascending, order: .comparator(comparator)))
  }

  /// Sorts by a method of the values, by its name; nil is `compare:`.
  @_disfavoredOverload
  public init(key: String?, ascending: Bool, selector: String?) {
    self.init(key: key, ascending: ascending, selectorName: selector)
  }

  /// The same without an overload for `Selector` beside it.
  package init(key: String?, ascending: Bool, selectorName: String?) {
    self = made(
      KeyedSortDescriptor(path: key, ascending: ascending, order: .named(selectorName)))
  }

  /// Sorts by the value of a Swift key path of any type; Foundation's own takes comparable ones.
  public init<Root, Value>(keyPath: Swift.KeyPath<Root, Value>, ascending: Bool) {
    self = made(
      KeyedSortDescriptor(swiftKeyPath: keyPath, ascending: ascending, order: .selector(.compare)))
  }

  /// The key path as text, also of descriptors made from a Swift key path; nil when they sort the
  /// objects themselves or when nothing knows the path's name.
  public var key: String? {
    if let keyed = self as? KeyedSortDescriptor { return keyed.path }
    return KeyPathName.name(of: keyPath)
  }

  /// The name of the selector that compares; nil when a comparator does.
  package var selectorName: String? {
    guard let keyed = self as? KeyedSortDescriptor else { return SortSelector.compare.rawValue }
    switch keyed.order {
    case .selector(let selector): return selector.rawValue
    case .unknownSelector(let name): return name
    case .comparator: return nil
    }
  }

  /// The order that the selector stands for; nil for a comparator and for an unknown selector.
  package var sortSelector: SortSelector? {
    selectorName.flatMap(SortSelector.init(rawValue:))
  }

  /// Has no effect: nothing here restricts the use of decoded descriptors.
  public func allowEvaluation() {}
}

/// A factory initialiser can only give what it makes.
private func made<Descriptor: NSSortDescriptor>(_ descriptor: KeyedSortDescriptor) -> Descriptor {
  guard let result = descriptor as? Descriptor else {
    fatalError(
      "\(Descriptor.self)(key:ascending:): a subclass of NSSortDescriptor cannot be made with a key here;"
        + " call init(keyPath:ascending:) of Foundation's class and override compare(_:to:)")
  }
  return result
}

extension KeyedSortDescriptor.Order {
  static func named(_ name: String?) -> Self {
    guard let name else { return .selector(.compare) }
    return SortSelector(rawValue: name).map(Self.selector) ?? .unknownSelector(name)
  }
}
