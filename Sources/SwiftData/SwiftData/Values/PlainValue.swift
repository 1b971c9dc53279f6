import CoreData
import Foundation

/// Conversions between the most frequent property types and column values, without boxing and
/// without dynamic casts.
enum PlainValue {
  /// The column value; nil if `New` is none of these types.
  ///
  /// The bit casts are sound: each branch has compared the type that it casts to.
  @inline(__always)
  static func stored<New>(_ value: New) -> Value? {
    func the<Known>(_ type: Known.Type) -> Known { unsafeBitCast(value, to: type) }
    if New.self == String.self { return .text(the(String.self)) }
    if New.self == String?.self { return the(String?.self).map(Value.text) ?? .null }
    if New.self == Int.self { return .integer(Int64(the(Int.self))) }
    if New.self == Int?.self { return the(Int?.self).map { .integer(Int64($0)) } ?? .null }
    if New.self == Int64.self { return .integer(the(Int64.self)) }
    if New.self == Int64?.self { return the(Int64?.self).map(Value.integer) ?? .null }
    if New.self == Bool.self { return .integer(the(Bool.self) ? 1 : 0) }
    if New.self == Bool?.self { return the(Bool?.self).map { .integer($0 ? 1 : 0) } ?? .null }
    if New.self == Double.self { return .real(the(Double.self)) }
    if New.self == Double?.self { return the(Double?.self).map(Value.real) ?? .null }
    if New.self == Date.self { return .real(the(Date.self).timeIntervalSinceReferenceDate) }
    if New.self == Date?.self {
      return the(Date?.self).map { .real($0.timeIntervalSinceReferenceDate) } ?? .null
    }
    return nil
  }

  /// The value of a column; nil for another type, for a stored value that does not match the type,
  /// and for null.
  ///
  /// The bit casts are sound: each branch has compared the type that it casts to.
  @inline(__always)
  static func value<Result>(_ stored: Value, as type: Result.Type) -> Result? {
    switch stored {
    case .text(let text):
      if type == String.self { return unsafeBitCast(text, to: type) }
      if type == String?.self { return unsafeBitCast(String?.some(text), to: type) }
    case .integer(let number):
      // Sound: each condition compares the type.
      if type == Int.self { return unsafeBitCast(Int(number), to: type) }
      if type == Int?.self { return unsafeBitCast(Int?.some(Int(number)), to: type) }
      if type == Int64.self { return unsafeBitCast(number, to: type) }
      if type == Int64?.self { return unsafeBitCast(Int64?.some(number), to: type) }
      if type == Bool.self { return unsafeBitCast(number != 0, to: type) }
      if type == Bool?.self { return unsafeBitCast(Bool?.some(number != 0), to: type) }
    case .real(let number):
      if type == Double.self { return unsafeBitCast(number, to: type) }
      if type == Double?.self { return unsafeBitCast(Double?.some(number), to: type) }
      // Sound: each condition compares the type.
      let date = Date(timeIntervalSinceReferenceDate: number)
      if type == Date.self { return unsafeBitCast(date, to: type) }
      if type == Date?.self { return unsafeBitCast(Date?.some(date), to: type) }
    default: break
    }
    return nil
  }
}
