import CoreData
import KeyValueCoding

/// Thrown by an optional protocol method that the conforming type does not implement.
public struct MissingRequirement: Error {
  /// Creates the error.
  public init() {}
}

/// Calls an optional method that may throw errors of its own; nil if it is not implemented.
public func optionalCall<Result>(_ body: () throws -> Result?) throws -> Result? {
  do { return try body() } catch is MissingRequirement { return nil }
}

/// The value of an optional protocol property; nil if it is not implemented.
public func optionalProperty<Owner, Value>(_ owner: Owner?, _ get: (Owner) throws -> Value)
  -> Value?
{
  // `try?`: an implemented property does not throw, so the only error is ``MissingRequirement``.
  owner.flatMap { try? get($0) }
}

/// Returns whether an object implements an optional protocol method.
public func responds(_ object: Any?, to selector: Selector) -> Bool {
  (object as? any NSObjectProtocol)?.responds(to: selector) ?? false
}

/// A selector of a type whose methods are registered on first use.
public func known(_ selector: Selector, _ register: () -> Void) -> Selector {
  register()
  return selector
}

/// The set that an array literal stands for, where the context wants one: Foundation's sets have no
/// literals here. Replaces `[a, b]` where it is assigned to a property that may be a set.
public func literal(_ elements: [Any]) -> NSSet { NSSet(array: elements) }

/// As above.
public func literal(_ elements: [Any]) -> NSOrderedSet { NSOrderedSet(array: elements) }

/// As above.
@_disfavoredOverload
public func literal(_ elements: [Any]) -> NSMutableSet { NSMutableSet(array: elements) }

/// As above.
@_disfavoredOverload
public func literal(_ elements: [Any]) -> NSMutableOrderedSet {
  working(NSMutableOrderedSet(array: elements))
}

/// The literal itself, where the context wants an array or something else that has literals.
@_disfavoredOverload
public func literal<Literal>(_ literal: Literal) -> Literal { literal }

/// A cast that ignores generic arguments, as casts to Objective-C classes do.
public func cast<Wanted: AnyObject>(_ value: Any?, to type: Wanted.Type) -> Wanted? {
  guard let value else { return nil }
  if let same = value as? Wanted { return same }
  let object = value as AnyObject
  guard ErasedClass(of: Swift.type(of: object)) == ErasedClass(of: type) else { return nil }
  // Sound: the generic arguments of these classes are class types, whose references are one
  // pointer, so the layout does not depend on them. The pointer is retained at once.
  return Unmanaged.fromOpaque(Unmanaged.passUnretained(object).toOpaque()).takeUnretainedValue()
}

/// A generic class without its generic arguments.
private enum ErasedClass {
  case fetchRequest, resultsController, asynchronousRequest, asynchronousResult

  init?(of type: AnyClass) {
    var current: AnyClass? = type
    while let candidate = current {
      switch String(describing: candidate).prefix(while: { $0 != "<" }) {
      case "NSFetchRequest": self = .fetchRequest
      case "NSFetchedResultsController": self = .resultsController
      case "NSAsynchronousFetchRequest": self = .asynchronousRequest
      case "NSAsynchronousFetchResult": self = .asynchronousResult
      default:
        current = _getSuperclass(candidate)
        continue
      }
      return
    }
    return nil
  }
}

extension AnyKeyPath {
  /// The key path as a string for key-value coding; `_kvcKeyPathString` on Apple's systems.
  public var objectiveCKeyPath: String? { KeyPathName.name(of: self) }
}

/// Replaces `super.observeValue(forKeyPath:of:change:context:)` in a class that inherits from
/// `NSObject`: traps, since the observer received a notification that it has not registered for.
public func unhandledObservation(
  forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
  context: UnsafeMutableRawPointer?
) {
  fatalError(
    "An -observeValueForKeyPath:ofObject:change:context: message was received but not handled. Key path: \(keyPath ?? "nil"), "
      + "observed object: \(object.map { "\(type(of: $0))" } ?? "nil")")
}

extension Bundle {
  /// The URLs of resources. Foundation's `urls(forResourcesWithExtension:subdirectory:)` returns
  /// `NSURL` on this platform.
  public func resourceURLs(
    forResourcesWithExtension ext: String?, subdirectory subpath: String?
  ) -> [URL]? {
    urls(forResourcesWithExtension: ext, subdirectory: subpath)?.map { $0 as URL }
  }

  /// The URLs of resources for a localization.
  public func resourceURLs(
    forResourcesWithExtension ext: String?, subdirectory subpath: String?,
    localization localizationName: String?
  ) -> [URL]? {
    urls(
      forResourcesWithExtension: ext, subdirectory: subpath, localization: localizationName)?
      .map { $0 as URL }
  }
}

/// The bundle of an identifier. Replaces `Bundle(identifier:)` in ported sources. If no bundle has
/// the identifier, returns the resources of the target that the identifier's last part names, since
/// identifiers end in the names of Xcode's targets: `com.example.App-Model` names the target
/// `App_Model`.
public func bundle(identifier: String) -> Bundle? {
  if let bundle = Bundle(identifier: identifier) { return bundle }
  let name = identifier.split(separator: ".").last ?? ""
  let module = String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
  return ResourceBundles.bundle(ofModule: module)
}

/// The main bundle and the resources of the program's targets. Replaces `Bundle.allBundles` in
/// ported sources: Foundation's does not list the targets on this platform.
public var allBundles: [Bundle] { [Bundle.main] + ResourceBundles.all }
