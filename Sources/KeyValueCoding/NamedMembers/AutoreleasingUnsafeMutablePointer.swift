/// Where a method of Objective-C takes a value and leaves another one, as `validate<Key>:` methods do.
///
/// Here it is a box: it lives as long as somebody has it, and nothing is autoreleased.
public struct AutoreleasingUnsafeMutablePointer<Pointee> {
  private final class Box {
    var value: Pointee
    init(_ value: Pointee) { self.value = value }
  }

  private let box: Box

  package init(_ value: Pointee) { box = Box(value) }

  public var pointee: Pointee {
    get { box.value }
    nonmutating set { box.value = newValue }
  }
}
