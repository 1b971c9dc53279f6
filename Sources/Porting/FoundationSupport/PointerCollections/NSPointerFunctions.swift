import Foundation

/// The ways in which `NSMapTable`, `NSHashTable` and `NSPointerArray` keep and compare what is in
/// them.
public class NSPointerFunctions: NSObject {
  /// Options of memory and of personality.
  public struct Options: OptionSet, Sendable {
    /// The bits of the options.
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Objects are kept.
    public static let strongMemory = Options([])
    /// Objects are kept; copies are not made here, since keys are not copied on Linux.
    public static let copyIn = Options(rawValue: 1 << 16)
    /// Objects are not kept, and are gone from the collection when they are freed.
    public static let weakMemory = Options(rawValue: 5)
    /// Objects are compared by `isEqual(_:)`.
    public static let objectPersonality = Options([])
    /// Objects are compared by identity.
    public static let objectPointerPersonality = Options(rawValue: 2 << 8)
  }
}

public typealias NSHashTableOptions = NSPointerFunctions.Options
public typealias NSMapTableOptions = NSPointerFunctions.Options

extension NSPointerFunctions.Options {
  var isWeak: Bool { contains(.weakMemory) }
}

/// An object in one of these collections, kept or not.
struct HeldObject: Hashable {
  private let kept: AnyObject?
  private weak var found: AnyObject?
  private let hash: Int
  private let isComparedByIdentity: Bool
  /// Tells objects that are gone apart: another may have the address of one.
  private let token = Token()

  private final class Token {}

  init(_ object: AnyObject, _ options: NSPointerFunctions.Options) {
    kept = options.isWeak ? nil : object
    found = object
    isComparedByIdentity =
      options.contains(.objectPointerPersonality) || !(object is NSObject)
    hash =
      isComparedByIdentity ? ObjectIdentifier(object).hashValue : (object as! NSObject).hash
  }

  /// The object; nil if it was freed.
  var object: AnyObject? { found }

  static func == (first: HeldObject, second: HeldObject) -> Bool {
    guard let one = first.found, let other = second.found else {
      // An object that is gone equals only itself.
      return first.token === second.token
    }
    if one === other { return true }
    guard !first.isComparedByIdentity, !second.isComparedByIdentity,
      let one = one as? NSObject
    else { return false }
    return one.isEqual(other)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

/// Enumerates what is in a collection at the time.
final class HeldEnumerator: NSEnumerator {
  private var rest: ArraySlice<AnyObject>

  init(_ objects: [AnyObject]) { rest = objects[...] }

  override func nextObject() -> Any? { rest.popFirst() }
}
