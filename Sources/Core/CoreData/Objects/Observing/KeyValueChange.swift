// The vocabulary of key-value observing, which Foundation lacks on this platform.

/// The notifications that an observer wants, and their contents.
///
/// Source: developer.apple.com/documentation/foundation/nskeyvalueobservingoptions
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  /// The bits of the options.
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The value after the change.
  public static let new = NSKeyValueObservingOptions(rawValue: 1)
  /// The value before the change.
  public static let old = NSKeyValueObservingOptions(rawValue: 2)
  /// One notification at once, before the method that adds the observer returns.
  public static let initial = NSKeyValueObservingOptions(rawValue: 4)
  /// An additional notification before each change.
  public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// The kind of a reported change.
public enum NSKeyValueChange: UInt, Sendable {
  /// The property has another value, or may have.
  case setting = 1
  /// Objects have joined a to-many relationship.
  case insertion = 2
  /// Objects have left a to-many relationship.
  case removal = 3
  /// Objects of a to-many relationship have been replaced.
  case replacement = 4
}

/// The keys of the dictionary that describes a change.
public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
  /// The key in the dictionary.
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// An `NSNumber`, the raw value of an ``NSKeyValueChange``.
  public static let kindKey = NSKeyValueChangeKey(rawValue: "kind")
  /// The value after the change, `NSNull` for nil; the new members of an insertion or replacement.
  public static let newKey = NSKeyValueChangeKey(rawValue: "new")
  /// The value before the change, `NSNull` for nil; the old members of a removal or replacement.
  public static let oldKey = NSKeyValueChangeKey(rawValue: "old")
  /// An `NSIndexSet`: the indexes of the changed members of an ordered relationship.
  public static let indexesKey = NSKeyValueChangeKey(rawValue: "indexes")
  /// An `NSNumber`, true; present only in a notification before a change.
  public static let notificationIsPriorKey = NSKeyValueChangeKey(rawValue: "notificationIsPrior")
}

/// The change of a set-valued property.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
  /// Objects are added.
  case union = 1
  /// Objects are removed.
  case minus = 2
  /// All other objects are removed.
  case intersect = 3
  /// The objects replace the previous ones.
  case set = 4
}

/// Receives the changes of managed objects that it observes.
///
/// On Apple's platforms every `NSObject` does. Here a class declares the conformance and implements
/// the method without `override`. ``NSManagedObject`` and ``NSManagedObjectContext`` conform; their
/// subclasses override the method.
public protocol KeyValueObserver: AnyObject {
  /// Receives a change, on the queue of the observed object's context. An observed object that is
  /// no managed object sends it on the thread that changes the property.
  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?)
}

extension NSManagedObject: KeyValueObserver {}
