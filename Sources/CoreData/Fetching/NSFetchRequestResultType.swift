/// What a fetch may return: managed objects, their IDs, dictionaries and numbers.
///
/// A marker protocol, which nothing but the compiler knows: so the erased `NSFetchRequest<NSFetchRequestResult>` satisfies its
/// own constraint, as with Apple's protocol of Objective-C and as with no other one of Swift, while protocols can inherit
/// from it and it can be extended. A reference to one is a reference to an object. What Swift does not allow of marker
/// protocols is a conditional cast, `as? NSFetchRequestResult`: cast to the class.
@_marker public protocol NSFetchRequestResult: AnyObject {}

extension NSManagedObject: NSFetchRequestResult {}
extension NSManagedObjectID: NSFetchRequestResult {}

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
