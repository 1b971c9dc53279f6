import Foundation
import KeyValueCoding

/// The conversions of `CAST(expression, "Type")`.
enum PredicateCast {
  /// Converts a value; nil stays nil. Throws ``PredicateEvaluationError`` for an unknown type and
  /// for a value that cannot be converted.
  static func cast(_ value: TypedValue, to type: String) throws -> TypedValue {
    if value.isNull { return .null }
    switch type {
    case "NSDate", "Date": return try date(value)
    case "NSString", "String": return .string(text(value))
    case "NSNumber": return try number(value)
    case "NSDecimalNumber": return try decimal(value)
    case "NSUUID", "UUID": return try uuid(value)
    default: throw PredicateEvaluationError("CAST to \(type) is not supported.")
    }
  }

  /// Numbers are seconds since 2001-01-01 00:00 UTC; strings have ISO 8601's form.
  private static func date(_ value: TypedValue) throws -> TypedValue {
    if case .date = value { return value }
    if let seconds = value.number {
      return .date(Date(timeIntervalSinceReferenceDate: seconds.doubleValue))
    }
    // A string in another form is reported below.
    if case .string(let text) = value, let date = try? Date(text, strategy: .iso8601) {
      return .date(date)
    }
    throw failure(value, type: "NSDate")
  }

  private static func text(_ value: TypedValue) -> String {
    switch value {
    case .string(let text): text
    default: value.any.map { "\($0)" } ?? ""
    }
  }

  private static func number(_ value: TypedValue) throws -> TypedValue {
    switch value {
    case .integer, .double, .decimal: return value
    case .date(let date): return .double(date.timeIntervalSinceReferenceDate)
    case .string(let text):
      if let number = Int64(text) { return .integer(number) }
      if let number = Double(text) { return .double(number) }
    default: break
    }
    throw failure(value, type: "NSNumber")
  }

  private static func decimal(_ value: TypedValue) throws -> TypedValue {
    switch value {
    case .decimal: return value
    case .string(let text):
      if let decimal = Decimal(string: text) { return .decimal(decimal) }
    default:
      guard value.number?.doubleValue.isDecimal ?? true else { break }
      if let number = value.any as? NSNumber { return .decimal(number.decimalValue) }
    }
    throw failure(value, type: "NSDecimalNumber")
  }

  private static func uuid(_ value: TypedValue) throws -> TypedValue {
    if case .uuid = value { return value }
    if case .string(let text) = value, let uuid = UUID(uuidString: text) { return .uuid(uuid) }
    throw failure(value, type: "NSUUID")
  }

  private static func failure(_ value: TypedValue, type: String) -> PredicateEvaluationError {
    PredicateEvaluationError("CAST cannot make an \(type) of \(value.kindName).")
  }
}
