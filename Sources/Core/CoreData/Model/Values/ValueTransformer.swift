import Foundation
import Synchronization

/// The registered name of a value transformer.
///
/// Source: developer.apple.com/documentation/foundation/nsvaluetransformername
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
  /// The name as a string.
  public let rawValue: String

  /// Makes a name from a string.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// Makes a name from a string.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Negates a Boolean.
  public static let negateBooleanTransformerName = Self("NSNegateBoolean")
  /// Tests a value for nil; the result is a number.
  public static let isNilTransformerName = Self("NSIsNil")
  /// Tests a value for not being nil; the result is a number.
  public static let isNotNilTransformerName = Self("NSIsNotNil")
  /// Reads a keyed archive with any classes.
  public static let unarchiveFromDataTransformerName = Self("NSUnarchiveFromData")
  /// Reads a keyed archive with any classes.
  public static let keyedUnarchiveFromDataTransformerName = Self("NSKeyedUnarchiveFromData")
  /// Reads a keyed archive with allowed classes only.
  public static let secureUnarchiveFromDataTransformerName = Self("NSSecureUnarchiveFromData")
}

/// Converts a value to another, and back if that is possible.
///
/// Foundation has this class on Apple's platforms only. A transformable attribute names the
/// transformer that converts its values to stored data.
///
/// Source: developer.apple.com/documentation/foundation/valuetransformer
///
/// Not Sendable, as on Apple's platforms, so that subclasses need not say that they are. But a
/// subclass with state must guard it: transformers are used on any thread.
open class ValueTransformer: NSObject {
  // Sound: see above.
  private static let registry = Mutex<
    [NSValueTransformerName: UncheckedSendable<ValueTransformer>]
  >(
    [:])
  private static let makers = Mutex<[String: @Sendable () -> ValueTransformer]>([:])

  /// Makes a transformer.
  public override init() {}

  /// Registers a transformer; nil removes it.
  open class func setValueTransformer(
    _ transformer: ValueTransformer?, forName name: NSValueTransformerName
  ) {
    let transformer = transformer.map { UncheckedSendable($0) }
    registry.withLock { $0[name] = transformer }
  }

  /// The registered names, including those of the built-in transformers.
  open class func valueTransformerNames() -> [NSValueTransformerName] {
    let registered = registry.withLock { Set($0.keys) }
    return registered.union(StandardTransformers.makers.keys).sorted { $0.rawValue < $1.rawValue }
  }

  /// Has transformers found by the name of their class: `make` makes one when a name is asked for
  /// under which none is registered. The build plugin calls it for the classes of its target, with
  /// and without their module. Not Apple's.
  public class func register(
    as className: String, _ make: @escaping @Sendable () -> ValueTransformer
  ) {
    makers.withLock { $0[className] = make }
  }

  /// The class of the results of `transformedValue`.
  open class func transformedValueClass() -> AnyClass {
    NSObject.self
  }

  /// Returns whether `reverseTransformedValue` is supported.
  open class func allowsReverseTransformation() -> Bool {
    true
  }

  /// The converted value; `value` itself unless a subclass overrides this.
  open func transformedValue(_ value: Any?) -> Any? {
    value
  }

  /// The value that `transformedValue` converts to `value`.
  ///
  /// Traps if the class does not allow reverse transformation; Apple's raises an exception.
  open func reverseTransformedValue(_ value: Any?) -> Any? {
    guard Self.allowsReverseTransformation() else {
      fatalError("\(type(of: self)) does not allow reverse transformation.")
    }
    return transformedValue(value)
  }

  /// The transformer registered under a name; a built-in one, and one of a class of this name, is
  /// made at its first use.
  package static func registered(forName name: NSValueTransformerName) -> ValueTransformer? {
    if let transformer = registry.withLock({ $0[name] }) { return transformer.value }
    // Made without the lock: an initializer may register others.
    let make = StandardTransformers.makers[name] ?? makers.withLock { $0[name.rawValue] }
    guard let made = (make?()).map({ UncheckedSendable($0) }) else { return nil }
    let transformer = registry.withLock { transformers in
      if let transformer = transformers[name] { return transformer }
      transformers[name] = made
      return made
    }
    return transformer.value
  }
}

/// Allows protocol initialisers, which can return another object than the one being made.
public protocol ValueTransformerFactory {}

extension ValueTransformer: ValueTransformerFactory {}

extension ValueTransformerFactory where Self: ValueTransformer {
  /// The transformer registered under a name; nil if there is none, or none of this class.
  public init?(forName name: NSValueTransformerName) {
    guard let found = ValueTransformer.registered(forName: name) as? Self else { return nil }
    self = found
  }
}
