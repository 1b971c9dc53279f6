/// Any optional, to look at what it is an optional of.
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

/// Any optional, to look into one that has been put into an `Any`.
protocol OptionalBox {
  var content: Any? { get }
}

extension Optional: OptionalBox {
  var content: Any? { map { $0 as Any } }
}
