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
