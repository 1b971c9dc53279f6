import Foundation
import KeyValueCoding

/// Results of messages to Foundation's values in `FUNCTION(receiver, "selector:", …)`, which on
/// Apple's systems can call any method. Used in predicates such as `date > FUNCTION(now(),
/// "dateByAddingTimeInterval:", -86400)`.
enum FoundationMessage {
  /// The result of a message; nil if the receiver does not have the selector here.
  static func answer(_ selector: String, of target: Any, arguments: [Any?]) throws -> Any?? {
    switch TypedValue(target) {
    case .date(let date): try answer(selector, of: date, arguments: arguments)
    case .string(let text): try answer(selector, of: text, arguments: arguments)
    default: nil
    }
  }

  private static func answer(
    _ selector: String, of date: Date, arguments: [Any?]
  ) throws -> Any?? {
    switch (selector, arguments.count) {
    case ("dateByAddingTimeInterval:", 1), ("addTimeInterval:", 1):
      date.addingTimeInterval(try number(arguments[0], selector: selector))
    case ("timeIntervalSinceDate:", 1):
      date.timeIntervalSince(try self.date(arguments[0], selector: selector))
    case ("earlierDate:", 1): min(date, try self.date(arguments[0], selector: selector))
    case ("laterDate:", 1): max(date, try self.date(arguments[0], selector: selector))
    case ("isEqualToDate:", 1): date == (try self.date(arguments[0], selector: selector))
    case ("timeIntervalSinceNow", 0): date.timeIntervalSinceNow
    case ("timeIntervalSince1970", 0): date.timeIntervalSince1970
    case ("timeIntervalSinceReferenceDate", 0): date.timeIntervalSinceReferenceDate
    default: nil
    }
  }

  private static func answer(
    _ selector: String, of text: String, arguments: [Any?]
  ) throws -> Any?? {
    switch (selector, arguments.count) {
    case ("stringByAppendingString:", 1): text + (try self.text(arguments[0], selector: selector))
    case ("lowercaseString", 0): text.lowercased()
    case ("uppercaseString", 0): text.uppercased()
    case ("capitalizedString", 0): text.capitalized
    case ("length", 0): text.utf16.count
    case ("integerValue", 0), ("longLongValue", 0): (text as NSString).integerValue
    case ("intValue", 0): Int((text as NSString).intValue)
    case ("doubleValue", 0): (text as NSString).doubleValue
    case ("boolValue", 0): (text as NSString).boolValue
    default: nil
    }
  }

  // MARK: - Arguments

  private static func number(_ argument: Any?, selector: String) throws -> Double {
    guard let number = TypedValue(argument).number else {
      throw wrong(argument, selector: selector, expected: "a number")
    }
    return number.doubleValue
  }

  private static func date(_ argument: Any?, selector: String) throws -> Date {
    guard case .date(let date) = TypedValue(argument) else {
      throw wrong(argument, selector: selector, expected: "a date")
    }
    return date
  }

  private static func text(_ argument: Any?, selector: String) throws -> String {
    guard case .string(let text) = TypedValue(argument) else {
      throw wrong(argument, selector: selector, expected: "a string")
    }
    return text
  }

  private static func wrong(
    _ argument: Any?, selector: String, expected: String
  ) -> PredicateEvaluationError {
    PredicateEvaluationError(
      "The argument of \(selector) must be \(expected), not \(TypedValue(argument).kindName).")
  }
}
