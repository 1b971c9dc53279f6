/// Any optional type, for converting values to its wrapped type.
protocol AnyOptional {
  static func wrapped(_ value: Any) -> Any?
  static func isUnknownCase(_ value: Any) -> Bool
}

extension Optional: AnyOptional {
  static func wrapped(_ value: Any) -> Any? {
    DeclaredType.value(value, as: Wrapped.self)
  }

  static func isUnknownCase(_ value: Any) -> Bool {
    DeclaredType.isUnknownCase(value, of: Wrapped.self)
  }
}

/// Any optional value, for unwrapping one that is boxed in an `Any`.
protocol OptionalBox {
  var content: Any? { get }
}

extension Optional: OptionalBox {
  var content: Any? { map { $0 as Any } }
}
