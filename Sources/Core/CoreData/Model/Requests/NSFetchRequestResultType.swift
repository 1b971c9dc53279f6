/// The types that a fetch may return: managed objects, their IDs, dictionaries and numbers.
///
/// A marker protocol, which exists for the compiler alone. So the erased
/// `NSFetchRequest<NSFetchRequestResult>` satisfies its own constraint, as with Apple's Objective-C
/// protocol and unlike any other Swift protocol, while protocols can still inherit from it and
/// extend it. A reference to it is a reference to an object. Swift forbids conditional casts to
/// marker protocols, `as? NSFetchRequestResult`: cast to the class instead.
@_marker public protocol NSFetchRequestResult: AnyObject {}

/// The kind of results that a fetch request returns.
public struct NSFetchRequestResultType: OptionSet, Sendable {
  /// The raw value, Apple's.
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Managed objects.
  public static var managedObjectResultType: Self { Self(rawValue: 0) }
  /// Object IDs.
  public static var managedObjectIDResultType: Self { Self(rawValue: 1) }
  /// Dictionaries of values.
  public static var dictionaryResultType: Self { Self(rawValue: 2) }
  /// One number: the count of matching objects.
  public static var countResultType: Self { Self(rawValue: 4) }
}
