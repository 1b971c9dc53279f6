import Foundation

/// Provides the initialiser of array literals: an extension of the class itself could not declare
/// it for subclasses.
public protocol SetOfLiterals {}

extension NSSet: SetOfLiterals {}

extension SetOfLiterals where Self: NSSet {
  /// Creates a set of the elements, as in `let names: NSSet = []`.
  public init(arrayLiteral elements: Any...) {
    self =
      (Self.self == NSSet.self ? NSSet(array: elements) : NSMutableSet(array: elements)) as! Self
  }
}

extension NSSet: @retroactive ExpressibleByArrayLiteral {}
