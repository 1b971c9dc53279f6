import Foundation
import Synchronization

/// The registered name of a value transformer.
///
/// Source: developer.apple.com/documentation/foundation/nsvaluetransformername
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Turns true into false and back.
  public static let negateBooleanTransformerName = Self("NSNegateBoolean")
  /// Says whether a value is nil.
  public static let isNilTransformerName = Self("NSIsNil")
  /// Says whether a value is not nil.
  public static let isNotNilTransformerName = Self("NSIsNotNil")
  /// Reads a keyed archive, whatever is in it.
  public static let unarchiveFromDataTransformerName = Self("NSUnarchiveFromData")
  /// Reads a keyed archive, whatever is in it.
  public static let keyedUnarchiveFromDataTransformerName = Self("NSKeyedUnarchiveFromData")
  /// Reads a keyed archive that has only the allowed classes.
  public static let secureUnarchiveFromDataTransformerName = Self("NSSecureUnarchiveFromData")
}

/// Turns one value into another, and back where that is possible.
///
/// Foundation has this class on Apple's platforms only. A transformable attribute names the
/// transformer that makes the stored data of its values.
/// Source: developer.apple.com/documentation/foundation/valuetransformer
///
/// Sendable: transformers are registered for all threads; one that keeps state guards it itself.
open class ValueTransformer: NSObject, @unchecked Sendable {
  private static let registry = Mutex<[NSValueTransformerName: ValueTransformer]>([:])

  public override init() {}

  /// Registers a transformer, or with nil removes one.
  open class func setValueTransformer(
    _ transformer: ValueTransformer?, forName name: NSValueTransformerName
  ) {
    registry.withLock { $0[name] = transformer }
  }

  /// The registered names, those of the built-in transformers included.
  open class func valueTransformerNames() -> [NSValueTransformerName] {
    let registered = registry.withLock { Set($0.keys) }
    return registered.union(StandardTransformers.makers.keys).sorted { $0.rawValue < $1.rawValue }
  }

  /// The class of what `transformedValue` makes.
  open class func transformedValueClass() -> AnyClass {
    NSObject.self
  }

  /// Whether `reverseTransformedValue` works.
  open class func allowsReverseTransformation() -> Bool {
    true
  }

  /// The value that `value` is turned into; the same value unless a subclass says otherwise.
  open func transformedValue(_ value: Any?) -> Any? {
    value
  }

  /// The value that was turned into `value`.
  ///
  /// Traps when the class does not allow it, where Apple's raises an exception.
  open func reverseTransformedValue(_ value: Any?) -> Any? {
    guard Self.allowsReverseTransformation() else {
      fatalError("\(type(of: self)) does not allow reverse transformation.")
    }
    return transformedValue(value)
  }

  /// The transformer registered under a name; a built-in one is made when it is first asked for.
  package static func registered(forName name: NSValueTransformerName) -> ValueTransformer? {
    registry.withLock { transformers in
      if let transformer = transformers[name] { return transformer }
      guard let made = StandardTransformers.makers[name]?() else { return nil }
      transformers[name] = made
      return made
    }
  }
}

/// Gives the protocol initialisers that may return another object than the one being made.
public protocol ValueTransformerFactory {}

extension ValueTransformer: ValueTransformerFactory {}

extension ValueTransformerFactory where Self: ValueTransformer {
  /// The transformer registered under a name, nil when there is none (or none of this class).
  public init?(forName name: NSValueTransformerName) {
    guard let found = ValueTransformer.registered(forName: name) as? Self else { return nil }
    self = found
  }
}
