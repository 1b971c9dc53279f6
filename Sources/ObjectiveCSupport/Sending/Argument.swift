import Foundation

/// Values as methods that are called by name take and give them.
enum Argument {
  /// A value in the type that a method wants, as the bridge of Apple's systems makes it; nil where there is no way.
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
    // Nil is a value of an optional type alone.
    return (Wanted.self as? any OptionalType.Type)?.noValue as? Wanted
  }

  /// Numbers of Swift are cast to each other by way of Foundation's.
  private static func number(_ value: Any) -> NSNumber? {
    if let number = value as? NSNumber { return number }
    return nil
  }
}

private protocol OptionalType {
  static var noValue: Any { get }
  /// The value, converted to what is wrapped; nil where there is no way.
  static func converted(_ value: Any) -> Any?
}

extension Optional: OptionalType {
  static var noValue: Any { Optional<Wrapped>(nilLiteral: ()) as Any }

  static func converted(_ value: Any) -> Any? {
    Argument.convert(value, to: Wrapped.self).map { Optional.some($0) as Any }
  }
}

extension RawRepresentable {
  /// Objective-C knows an enumeration of integers by its number.
  fileprivate static func made(of value: Any) -> Any? {
    Argument.convert(value, to: RawValue.self).flatMap { Self(rawValue: $0) }
  }
}

/// A method's arguments, in their order.
public final class ArgumentList {
  private var rest: ArraySlice<Any?>
  private let selector: String

  init(_ arguments: [Any?], selector: String) {
    rest = arguments[...]
    self.selector = selector
  }

  /// The next one, in the type that the method wants. Stops the program where it is of another.
  public func next<Wanted>(_ type: Wanted.Type) -> Wanted {
    let value = rest.popFirst() ?? nil
    if let converted = Argument.convert(value, to: type) { return converted }
    let found = value.map { "a value of type \(Swift.type(of: $0))" } ?? "nil"
    fatalError("\(selector) expects \(Wanted.self) and was given \(found)")
  }
}

/// Values as key-value coding hands them out.
enum Unwrapped {
  /// Without the optionals around it; an enumeration of integers as its number. Nil of what has no value.
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
