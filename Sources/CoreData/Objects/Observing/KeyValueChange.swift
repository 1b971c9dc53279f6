// The words of key-value observing. Foundation declares none of them on this platform.

/// What an observer wants to be told of a change.
///
/// Source: developer.apple.com/documentation/foundation/nskeyvalueobservingoptions
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The value after the change.
  public static let new = NSKeyValueObservingOptions(rawValue: 1)
  /// The value before the change.
  public static let old = NSKeyValueObservingOptions(rawValue: 2)
  /// One notification at once, before the method that adds the observer returns.
  public static let initial = NSKeyValueObservingOptions(rawValue: 4)
  /// One notification before each change beside the one after it.
  public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// What kind of change a notification tells of.
public enum NSKeyValueChange: UInt, Sendable {
  /// The property has another value, or may have.
  case setting = 1
  /// Objects have joined a to-many relationship.
  case insertion = 2
  /// Objects have left a to-many relationship.
  case removal = 3
  /// Objects have taken the place of others in a to-many relationship.
  case replacement = 4
}

/// The keys of the dictionary that describes a change.
public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// An `NSNumber`, the raw value of an ``NSKeyValueChange``.
  public static let kindKey = NSKeyValueChangeKey(rawValue: "kind")
  /// The value after the change, `NSNull` for nil; of an insertion or replacement the new members.
  public static let newKey = NSKeyValueChangeKey(rawValue: "new")
  /// The value before the change, `NSNull` for nil; of a removal or replacement the members that have gone.
  public static let oldKey = NSKeyValueChangeKey(rawValue: "old")
  /// An `NSIndexSet`: where the members of an ordered relationship are, or were.
  public static let indexesKey = NSKeyValueChangeKey(rawValue: "indexes")
  /// An `NSNumber`, true; there only in a notification before a change.
  public static let notificationIsPriorKey = NSKeyValueChangeKey(rawValue: "notificationIsPrior")
}

/// How a to-many property changes.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
  case union = 1
  case minus = 2
  case intersect = 3
  case set = 4
}

/// Is told of changes of the managed objects that it observes.
///
/// On Apple's platforms every `NSObject` is one; here a class says so, and writes the method without `override`.
/// ``NSManagedObject`` and ``NSManagedObjectContext`` conform: their subclasses override it.
public protocol KeyValueObserver: AnyObject {
  /// Called on the queue of the observed object's context.
  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?)
}

extension NSManagedObject: KeyValueObserver {}
extension NSManagedObjectContext: KeyValueObserver {}
