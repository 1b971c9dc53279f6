/// An in-out argument of an Objective-C method, such as the value of `validate<Key>:` methods.
///
/// On this platform it is a reference-counted box; nothing is autoreleased.
public struct AutoreleasingUnsafeMutablePointer<Pointee> {
  private final class Box {
    var value: Pointee
    init(_ value: Pointee) { self.value = value }
  }

  private let box: Box

  package init(_ value: Pointee) { box = Box(value) }

  /// The value in the box.
  public var pointee: Pointee {
    get { box.value }
    nonmutating set { box.value = newValue }
  }
}
