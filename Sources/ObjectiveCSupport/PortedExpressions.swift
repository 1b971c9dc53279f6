import CoreData
import KeyValueCoding

/// What an optional method of a protocol throws that nobody has written.
public struct MissingRequirement: Error {
  public init() {}
}

/// Calls an optional method that may throw errors of its own; nil where nobody has written it.
public func optionalCall<Result>(_ body: () throws -> Result?) throws -> Result? {
  do { return try body() } catch is MissingRequirement { return nil }
}

/// The value of a property that a protocol says is optional; nil where nobody has written it.
public func optionalProperty<Owner, Value>(_ owner: Owner?, _ get: (Owner) throws -> Value)
  -> Value?
{
  // Nothing else is thrown: a property that is written does not throw.
  owner.flatMap { try? get($0) }
}

/// Whether an object has a method that a protocol says is optional.
public func responds(_ object: Any?, to selector: Selector) -> Bool {
  (object as? any NSObjectProtocol)?.responds(to: selector) ?? false
}

/// A selector of a type whose methods are made known where they are first named.
public func known(_ selector: Selector, _ register: () -> Void) -> Selector {
  register()
  return selector
}

/// A cast as Objective-C makes it, which does not look at the types that its classes are made with.
public func cast<Wanted: AnyObject>(_ value: Any?, to type: Wanted.Type) -> Wanted? {
  guard let value else { return nil }
  if let same = value as? Wanted { return same }
  let object = value as AnyObject
  guard ErasedClass(of: Swift.type(of: object)) == ErasedClass(of: type) else { return nil }
  // Sound because the type parameters of these classes are classes, whose references are one pointer, and no layout
  // depends on them.
  return Unmanaged.fromOpaque(Unmanaged.passUnretained(object).toOpaque()).takeUnretainedValue()
}

/// A generic class without what it is made with.
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
  /// The keys that key-value coding reads: what `_kvcKeyPathString` is on Apple's systems.
  public var objectiveCKeyPath: String? { KeyPathName.name(of: self) }
}

/// What `super.observeValue(forKeyPath:of:change:context:)` is in a class that inherits from `NSObject`: stops the program, as
/// an observer got what it has not asked for.
public func unhandledObservation(
  forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
  context: UnsafeMutableRawPointer?
) {
  fatalError(
    "An -observeValueForKeyPath:ofObject:change:context: message was received but not handled. Key path: \(keyPath ?? "nil"), "
      + "observed object: \(object.map { "\(type(of: $0))" } ?? "nil")")
}

extension Bundle {
  /// What `urls(forResourcesWithExtension:subdirectory:)` gives on Apple's systems; Foundation's gives `NSURL` here.
  public func resourceURLs(
    forResourcesWithExtension ext: String?, subdirectory subpath: String?
  ) -> [URL]? {
    urls(forResourcesWithExtension: ext, subdirectory: subpath)?.map { $0 as URL }
  }

  /// The same of a language.
  public func resourceURLs(
    forResourcesWithExtension ext: String?, subdirectory subpath: String?,
    localization localizationName: String?
  ) -> [URL]? {
    urls(
      forResourcesWithExtension: ext, subdirectory: subpath, localization: localizationName)?
      .map { $0 as URL }
  }
}

/// What `Bundle(identifier:)` is in ported sources: the bundle of the identifier, else the resources of the target that its
/// last part names, as identifiers end in the names of Xcode's targets. `com.example.App-Model` is that of `App_Model`.
public func bundle(identifier: String) -> Bundle? {
  if let bundle = Bundle(identifier: identifier) { return bundle }
  let name = identifier.split(separator: ".").last ?? ""
  let module = String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
  return ResourceBundles.bundle(ofModule: module)
}

/// What `Bundle.allBundles` is in ported sources: the program's own and the resources of its targets. Foundation's knows of
/// none here.
public var allBundles: [Bundle] { [Bundle.main] + ResourceBundles.all }
