import Foundation
import Testing

@testable import KeyValueCoding

/// What is an object among values of every form, counted and not.
@Suite struct InstanceInValueTests {
  private class Base: NSObject {}
  private final class Derived: Base {}
  private final class Plain: CustomStringConvertible, Sendable { let description = "plain" }
  private struct Structure { let object = Plain() }
  private enum Enumeration { case object(Plain) }

  private static let plain = Plain()

  @Test func onlyInstancesOfClassesAreObjects() {
    let (base, plain) = (Derived(), Self.plain)
    let objects: [(Any, AnyObject)] = [
      (base, base), (base as Base, base), (base as NSObject, base), (base as AnyObject, base),
      (plain, plain), (plain as any CustomStringConvertible, plain), ([base as AnyObject][0], base),
    ]
    for (value, object) in objects {
      let counted = classInstance(value)
      #expect(counted === object)
      let uncounted = uncountedInstance(value)?.takeUnretainedValue()
      #expect(uncounted == nil || uncounted === counted)
      #expect(uncounted != nil || type(of: value) is AnyClass, "\(type(of: value))")
    }
    let others: [Any?] = [
      nil, 1, 1.5, true, "text", "a text of more than fifteen bytes", Date(), [base], ["a": plain],
      Set([1]), Structure(), Enumeration.object(plain), Optional<Derived>.none as Any,
      { base } as () -> Derived, (base, plain), Derived.self, Data(count: 40),
    ]
    for value in others {
      #expect(uncountedInstance(value) == nil, "\(String(describing: value))")
      if let value { #expect(classInstance(value) == nil, "\(value)") }
    }
  }
}
