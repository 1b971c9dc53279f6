import Foundation

/// Conversion of arguments and results of methods that are called by name.
enum Argument {
  /// Converts a value to the type of a parameter, as the bridge of Apple's systems does; nil if
  /// there is no conversion.
  static func convert<Wanted>(_ value: Any?, to type: Wanted.Type) -> Wanted? {
    if let value, !(value is NSNull) || Wanted.self == NSNull.self {
      if let cast = value as? Wanted { return cast }
      if let number = number(value), let cast = number as? Wanted { return cast }
      if let raw = (Wanted.self as? any RawRepresentable.Type)?.made(of: value) {
        return raw as? Wanted
      }
      if let optional = Wanted.self as? any OptionalType.Type {
        return optional.converted(value) as? Wanted
      }
      return nil
    }
    // Only optional types accept nil.
    return (Wanted.self as? any OptionalType.Type)?.noValue as? Wanted
  }

  /// Swift's number types are cast to each other through `NSNumber`.
  private static func number(_ value: Any) -> NSNumber? {
    if let number = value as? NSNumber { return number }
    return nil
  }
}

private protocol OptionalType {
  static var noValue: Any { get }
  /// The value converted to the wrapped type; nil if there is no conversion.
  static func converted(_ value: Any) -> Any?
}

extension Optional: OptionalType {
  static var noValue: Any { Optional<Wrapped>(nilLiteral: ()) as Any }

  static func converted(_ value: Any) -> Any? {
    Argument.convert(value, to: Wrapped.self).map { Optional.some($0) as Any }
  }
}

extension RawRepresentable {
  /// Objective-C represents an enumeration of integers by its raw value.
  fileprivate static func made(of value: Any) -> Any? {
    Argument.convert(value, to: RawValue.self).flatMap { Self(rawValue: $0) }
  }
}

/// The arguments of a method call, in order.
public final class ArgumentList {
  private var rest: ArraySlice<Any?>
  private let selector: String

  init(_ arguments: [Any?], selector: String) {
    rest = arguments[...]
    self.selector = selector
  }

  /// The next argument, converted to the type of the parameter. Traps if it cannot be converted.
  public func next<Wanted>(_ type: Wanted.Type) -> Wanted {
    let value = rest.popFirst() ?? nil
    if let converted = Argument.convert(value, to: type) { return converted }
    let found = value.map { "a value of type \(Swift.type(of: $0))" } ?? "nil"
    fatalError("\(selector) expects \(Wanted.self) and was given \(found)")
  }
}

/// Conversion of values that key-value coding returns.
enum Unwrapped {
  /// Removes optionals and replaces an enumeration of integers by its raw value; nil for nil and
  /// for `Void`.
  static func value<Value>(_ value: Value) -> Any? {
    if Value.self == Void.self { return nil }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional {
      return mirror.children.first.flatMap { self.value($0.value) }
    }
    if mirror.displayStyle == .enum, let raw = value as? any RawRepresentable,
      raw.rawValue is any BinaryInteger
    {
      return raw.rawValue as? NSNumber ?? raw.rawValue
    }
    return value as? NSNumber ?? value
  }
}
