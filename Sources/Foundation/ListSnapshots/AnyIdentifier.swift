/// An identifier without a static type: the element of a snapshot reference that was made without
/// types.
///
/// Unchecked because `AnyHashable` is not Sendable. Typed snapshots require Sendable identifiers;
/// an identifier in an untyped snapshot must be Sendable too, or stay on one thread.
struct AnyIdentifier: Hashable, @unchecked Sendable {
  let base: AnyHashable

  /// Casts `value` to the identifier type of a snapshot. A snapshot of `AnyIdentifier` wraps it.
  /// Traps if the type does not fit.
  static func cast<Identifier: Hashable>(_ value: Any, to type: Identifier.Type) -> Identifier {
    if let identifier = value as? Identifier { return identifier }
    if let hashable = value as? AnyHashable,
      let identifier = AnyIdentifier(base: hashable) as? Identifier
    {
      return identifier
    }
    fatalError(
      "A snapshot of \(Identifier.self) cannot take an identifier of type \(Swift.type(of: value))")
  }

  /// The identifiers without the `AnyIdentifier` around them.
  static func unwrapped<Identifier: Hashable>(_ identifiers: [Identifier]) -> [Any] {
    guard Identifier.self == AnyIdentifier.self else { return identifiers }
    return identifiers.compactMap { ($0 as? AnyIdentifier)?.base.base }
  }
}
