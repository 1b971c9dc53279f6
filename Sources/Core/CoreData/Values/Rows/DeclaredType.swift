/// Converts the model's values to the type that a class declares for a property: the generic part
/// of `@NSManaged` accessors.
enum DeclaredType {
  /// The value as a `T`: bridged, converted between numbers, as a collection of elements, or as the
  /// case of a raw value. Returns nil if no conversion applies.
  static func value<T>(_ value: Any, as type: T.Type) -> T? {
    if let typed = value as? T { return typed }
    if let typed: T = converted(value) { return typed }
    // A value type of Foundation conforms to a declared protocol only as an object.
    if let typed = (value as AnyObject) as? T { return typed }
    if let set = value as? NSOrderedSet, let typed = set.array as? T { return typed }
    if let optional = type as? any AnyOptional.Type {
      guard let wrapped = optional.wrapped(value) else { return nil }
      return wrapped as? T
    }
    return (type as? any RawRepresentable.Type).flatMap { rawCase($0, value: value) as? T }
  }

  /// Converts numbers as Apple's accessors do, which return any declared number class.
  private static func converted<T>(_ value: Any) -> T? {
    switch value {
    case let number as NSNumber:
      CGFloat(number.doubleValue) as? T
        ?? (number.doubleValue.isDecimal
          ? NSDecimalNumber(decimal: number.decimalValue) as? T : nil)
    case let date as Date: date.timeIntervalSinceReferenceDate as? T
    default: nil
    }
  }

  private static func rawCase<R: RawRepresentable>(_ type: R.Type, value: Any) -> R? {
    self.value(value, as: R.RawValue.self).flatMap(R.init(rawValue:))
  }

  /// Whether a value has the raw type of an enumeration but belongs to none of its cases.
  static func isUnknownCase<T>(_ value: Any, of type: T.Type) -> Bool {
    if let optional = type as? any AnyOptional.Type { return optional.isUnknownCase(value) }
    func hasRawType<R: RawRepresentable>(_ type: R.Type) -> Bool {
      self.value(value, as: R.RawValue.self) != nil
    }
    return (type as? any RawRepresentable.Type).map { hasRawType($0) } ?? false
  }

  /// The value of a non-optional type that stands for nil: 0, the empty string, no bytes, an empty
  /// collection, or the case with such a raw value. Returns nil for all other types.
  static func empty<T>(_ type: T.Type) -> T? {
    if let none = Optional<Any>.none as? T { return none }
    if let type = type as? any EmptyMeansNil.Type { return type.init() as? T }
    func emptyCase<R: RawRepresentable>(_ type: R.Type) -> R? {
      empty(R.RawValue.self).flatMap(R.init(rawValue:))
    }
    return (type as? any RawRepresentable.Type).flatMap { emptyCase($0) as? T }
  }
}
