/// An identifier of a type that nobody named: what a snapshot reference that was made without types
/// holds.
///
/// Unchecked because `AnyHashable` cannot say it: an identifier is required to be Sendable by every
/// typed snapshot, and whoever puts one that is not into an untyped one must not share it.
struct AnyIdentifier: Hashable, @unchecked Sendable {
  let base: AnyHashable

  /// The identifier as the given type; a type of its own is wrapped.
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

  /// The identifiers as they were before they were wrapped.
  static func unwrapped<Identifier: Hashable>(_ identifiers: [Identifier]) -> [Any] {
    guard Identifier.self == AnyIdentifier.self else { return identifiers }
    return identifiers.compactMap { ($0 as? AnyIdentifier)?.base.base }
  }
}
