import Foundation
import KeyValueCoding

/// A message that an expression or a comparison sends to a value.
enum Message {
  /// The result of a message; nil for a nil receiver. Throws if the receiver does not have the
  /// selector.
  static func send(_ selector: String, to target: Any?, arguments: [Any?]) throws -> Any? {
    guard let target else { return nil }
    // Methods of a class in ported sources come before those of its superclass.
    if let (object, method) = method(selector, of: target),
      method.parameterCount == arguments.count
    {
      return try method.call(object, arguments)
    }
    if let receiver = target as? any PredicateMessageReceiver {
      return try receiver.answer(selector: selector, arguments: arguments)
    }
    if let answer = try FoundationMessage.answer(selector, of: target, arguments: arguments) {
      return answer
    }
    switch (selector, arguments.first ?? nil) {
    case ("valueForKey:", let key as String): return try KeyedValue.value(of: target, forKey: key)
    case ("valueForKeyPath:", let path as String): return try ValuePath(path).value(of: target)
    case (_, nil) where arguments.isEmpty && !selector.contains(":"):
      return try KeyedValue.value(of: target, forKey: selector)
    default:
      throw PredicateEvaluationError(
        "\(TypedValue(target).kindName) does not answer the selector \(selector).")
    }
  }

  /// A method of ported sources, for the class that the value has on Apple's systems.
  private static func method(
    _ selector: String, of target: Any
  ) -> (object: AnyObject, method: NamedMethod)? {
    guard NamedMembers.areKnown else { return nil }
    let object = (target as? String).map { $0 as NSString } ?? target as AnyObject
    return NamedMembers.method(selector, of: type(of: object)).map { (object, $0) }
  }
}
