import Foundation
import KeyValueCoding
import Testing

private final class Identity: ComparedByIdentity {
  let comparedIdentity: AnyObject

  init(_ identity: AnyObject) { comparedIdentity = identity }
}

@Suite struct TypedValueTests {
  @Test func numbersAreEqualAcrossTypes() {
    let ones: [Any] = [1, Int16(1), UInt8(1), 1.0, Float(1), true, Decimal(1), NSNumber(value: 1)]
    for left in ones {
      for right in ones {
        #expect(TypedValue(left) == TypedValue(right))
        #expect(TypedValue(left).hashValue == TypedValue(right).hashValue)
      }
    }
  }

  @Test func largeNumbersAreComparedExactly() {
    #expect(TypedValue(Int64.max).order(to: TypedValue(0x1p63)) == .orderedAscending)
    #expect(
      TypedValue(9_007_199_254_740_993).order(to: TypedValue(9_007_199_254_740_992.0))
        == .orderedDescending)
    #expect(TypedValue(UInt64.max).order(to: TypedValue(Int64.max)) == .orderedDescending)
    #expect(TypedValue(1.5).order(to: TypedValue(1)) == .orderedDescending)
    #expect(TypedValue(-1.5).order(to: TypedValue(-1)) == .orderedAscending)
    #expect(TypedValue(Double.nan).order(to: TypedValue(1)) == nil)
  }

  @Test func kindsAreToldApart() {
    #expect(TypedValue("1") != TypedValue(1))
    #expect(TypedValue("1").order(to: TypedValue(1)) == nil)
    #expect(TypedValue([1]) != TypedValue(Set([1])))
    #expect(TypedValue([1, 2.0]) == TypedValue([1.0, 2]))
    #expect(TypedValue(Set([1, 2])) == TypedValue(NSSet(array: [2, 1])))
  }

  @Test func optionalsAreTheirValue() {
    let nothing: String? = nil
    let something: String? = "x"
    #expect(TypedValue(nothing as Any) == .null)
    #expect(TypedValue(something as Any) == .string("x"))
    #expect(TypedValue(NSNull()) == .null)
  }

  @Test func textIsComparedByScalars() {
    #expect(TypedValue("é") != TypedValue("e\u{301}"))
    #expect(TypedValue("Z").order(to: TypedValue("a")) == .orderedAscending)
  }

  @Test func objectsAreComparedByIdentityOrTheirStandIn() {
    let (one, other) = (NSObject(), NSObject())
    #expect(TypedValue(one) == TypedValue(one) && TypedValue(one) != TypedValue(other))
    #expect(TypedValue(Identity(one)) == TypedValue(one))
    #expect(TypedValue(Identity(one)) == TypedValue(Identity(one)))
    #expect(Set([TypedValue(one)]).contains(TypedValue(Identity(one))))
  }

  @Test func nilComesFirst() {
    #expect(TypedValue.null.order(to: .integer(0)) == .orderedAscending)
    #expect(TypedValue.string("").order(to: .null) == .orderedDescending)
  }
}
