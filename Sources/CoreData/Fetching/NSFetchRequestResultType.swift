/// What a fetch may return: managed objects, their IDs, dictionaries and numbers.
///
/// Apple's protocol has no requirements beyond being an object, and an erased
/// `NSFetchRequest<NSFetchRequestResult>` must satisfy its own constraint, which a protocol of Swift
/// does not; so it is another name for `AnyObject`.
public typealias NSFetchRequestResult = AnyObject

/// What a fetch request returns.
public struct NSFetchRequestResultType: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Managed objects.
  public static var managedObjectResultType: Self { Self(rawValue: 0) }
  /// Object IDs.
  public static var managedObjectIDResultType: Self { Self(rawValue: 1) }
  /// Dictionaries of values.
  public static var dictionaryResultType: Self { Self(rawValue: 2) }
  /// One number: how many.
  public static var countResultType: Self { Self(rawValue: 4) }
}
