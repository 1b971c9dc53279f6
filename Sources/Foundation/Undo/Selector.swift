/// The name of a method in Objective-C's form (`"setTitle:"`).
///
/// Stands in for Objective-C's selector so that code which stores, compares or prints selectors
/// compiles. There is no Objective-C runtime on this platform, so nothing can be sent by name:
/// methods of Apple's frameworks that would send a selector do not exist here.
public struct Selector: Hashable, Sendable {
  private let name: String

  /// Makes a selector with the given name. Any string is accepted.
  public init(_ name: String) {
    self.name = name
  }
}

extension Selector: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension Selector: CustomStringConvertible {
  /// The name of the selector.
  public var description: String { name }
}

/// The name of the selector.
public func NSStringFromSelector(_ aSelector: Selector) -> String { aSelector.description }

/// The selector with the given name. Any string is accepted.
public func NSSelectorFromString(_ aSelectorName: String) -> Selector { Selector(aSelectorName) }
