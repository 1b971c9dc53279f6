import Foundation
import KeyValueCoding

/// Adds Apple's initialisers and properties to Foundation's `NSSortDescriptor`. Initialisers of a
/// protocol extension can return an instance of a subclass.
public protocol SortDescriptorFactory {}

extension NSSortDescriptor: SortDescriptorFactory {}

extension SortDescriptorFactory where Self: NSSortDescriptor {
  /// Sorts by the value of a key path, or by the objects themselves if it is nil.
  public init(key: String?, ascending: Bool) {
    self.init(key: key, ascending: ascending, selectorName: nil)
  }

  /// Sorts by the value of a key path with a comparator, which receives `NSNull` for nil.
  public init(key: String?, ascending: Bool, comparator: @escaping Comparator) {
    self = made(
      KeyedSortDescriptor(path: key, ascending: ascending, order: .comparator(comparator)))
  }

  /// Sorts by a comparison method of the values, given by name; nil stands for `compare:`.
  @_disfavoredOverload
  public init(key: String?, ascending: Bool, selector: String?) {
    self.init(key: key, ascending: ascending, selectorName: selector)
  }

  /// Sorts by a comparison method of the values. Has no overload for `Selector`, so that a call is
  /// not ambiguous.
  package init(key: String?, ascending: Bool, selectorName: String?) {
    self = made(
      KeyedSortDescriptor(path: key, ascending: ascending, order: .named(selectorName)))
  }

  /// Sorts by the value of a Swift key path of any type; Foundation's own initialiser requires
  /// comparable ones.
  public init<Root, Value>(keyPath: Swift.KeyPath<Root, Value>, ascending: Bool) {
    self = made(
      KeyedSortDescriptor(swiftKeyPath: keyPath, ascending: ascending, order: .selector(.compare)))
  }

  /// The key path as text, also if the descriptor was made from a Swift key path. Nil if it sorts
  /// the objects themselves or the name of the key path is unknown.
  public var key: String? {
    if let keyed = self as? KeyedSortDescriptor { return keyed.path }
    return KeyPathName.name(of: keyPath)
  }

  /// The name of the comparison selector; nil if a comparator is used.
  package var selectorName: String? {
    guard let keyed = self as? KeyedSortDescriptor else { return SortSelector.compare.rawValue }
    switch keyed.order {
    case .selector(let selector): return selector.rawValue
    case .unknownSelector(let name): return name
    case .comparator: return nil
    }
  }

  /// The order of the selector; nil for a comparator and for an unknown selector.
  package var sortSelector: SortSelector? {
    selectorName.flatMap(SortSelector.init(rawValue:))
  }

  /// Does nothing: decoded descriptors are not restricted on this platform.
  public func allowEvaluation() {}
}

/// Casts the result of a factory initialiser. Traps for a subclass of the client's, which cannot be
/// made here.
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
