/// What becomes of a model's values in a property whose class declares another type for it: the generic part
/// of `@NSManaged` accessors.
enum DeclaredType {
  /// The value as a `T`: bridged, converted among numbers, an element's collection, or a raw value's case.
  /// nil when it is none.
  static func value<T>(_ value: Any, as type: T.Type) -> T? {
    if let typed = value as? T { return typed }
    if let typed: T = converted(value) { return typed }
    // A value of Foundation's becomes an object first where a protocol is declared.
    if let typed = (value as AnyObject) as? T { return typed }
    if let set = value as? NSOrderedSet, let typed = set.array as? T { return typed }
    if let optional = type as? any AnyOptional.Type {
      guard let wrapped = optional.wrapped(value) else { return nil }
      return wrapped as? T
    }
    return (type as? any RawRepresentable.Type).flatMap { rawCase($0, value) as? T }
  }

  /// As Apple's accessors, which hand out a number whatever class of numbers is declared.
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

  private static func rawCase<R: RawRepresentable>(_ type: R.Type, _ value: Any) -> R? {
    self.value(value, as: R.RawValue.self).flatMap(R.init(rawValue:))
  }

  /// Whether a value is the raw value of no case of an enumeration.
  static func isUnknownCase<T>(_ value: Any, of type: T.Type) -> Bool {
    if let optional = type as? any AnyOptional.Type { return optional.isUnknownCase(value) }
    func hasRawType<R: RawRepresentable>(_ type: R.Type) -> Bool {
      self.value(value, as: R.RawValue.self) != nil
    }
    return (type as? any RawRepresentable.Type).map { hasRawType($0) } ?? false
  }

  /// What nil reads as through a type that has no nil: 0, the empty string, no bytes, an empty collection,
  /// and the case whose raw value is that. nil for all other types.
  static func empty<T>(_ type: T.Type) -> T? {
    if let none = Optional<Any>.none as? T { return none }
    if let type = type as? any EmptyMeansNil.Type { return type.init() as? T }
    func emptyCase<R: RawRepresentable>(_ type: R.Type) -> R? {
      empty(R.RawValue.self).flatMap(R.init(rawValue:))
    }
    return (type as? any RawRepresentable.Type).flatMap { emptyCase($0) as? T }
  }
}
