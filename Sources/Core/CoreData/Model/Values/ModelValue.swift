import Foundation

/// Values in models: defaults, user information, warnings.
package enum ModelValue {
  /// The value in Objective-C's form: numbers as `NSNumber`, decimals as `NSDecimalNumber`.
  ///
  /// Apple's setters bridge their argument. Here it is done explicitly, so that a default set as
  /// `0` equals one read from a file.
  package static func bridged(_ value: Any?) -> Any? {
    switch value {
    case let number as NSNumber: number
    case let flag as Bool: NSNumber(value: flag)
    case let decimal as Decimal: NSDecimalNumber(decimal: decimal)
    case let integer as any BinaryInteger: NSNumber(value: Int64(truncatingIfNeeded: integer))
    case let real as Double: NSNumber(value: real)
    case let real as Float: NSNumber(value: real)
    default: value
    }
  }

  /// Returns whether two values are equal by content. Values that cannot be compared are different.
  package static func areEqual(_ left: Any?, _ right: Any?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?): areEqualValues(left, right)
    default: false
    }
  }

  private static func areEqualValues(_ left: Any, _ right: Any) -> Bool {
    if let left = left as? [AnyHashable: Any], let right = right as? [AnyHashable: Any] {
      return left.count == right.count && left.allSatisfy { areEqual($0.value, right[$0.key]) }
    }
    if let left = left as? [Any], let right = right as? [Any] {
      return left.count == right.count && zip(left, right).allSatisfy { areEqual($0, $1) }
    }
    if let left = left as? Set<AnyHashable>, let right = right as? Set<AnyHashable> {
      return left.count == right.count
        && left.allSatisfy { one in
          right.contains(one) || right.contains { areEqual(one.base, $0.base) }
        }
    }
    return areEqualObjects(left, right)
  }

  private static func areEqualObjects(_ left: Any, _ right: Any) -> Bool {
    let left = plain(bridged(left) ?? left)
    let right = plain(bridged(right) ?? right)
    if let left = left as? NSNumber, let right = right as? NSNumber { return left == right }
    if let left = left as? AnyHashable, let right = right as? AnyHashable { return left == right }
    return (left as AnyObject) === (right as AnyObject)
  }

  /// Converts Foundation's objects to Swift's values: they are not equal to each other.
  private static func plain(_ value: Any) -> Any {
    switch value {
    case let date as Date: date
    case let url as URL: url
    case let identifier as UUID: identifier
    case let data as Data: data
    case let text as String: text
    default: value
    }
  }
}
