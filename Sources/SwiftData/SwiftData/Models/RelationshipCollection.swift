/// A collection type that a to-many relationship can have: an array of models, or an optional one.
///
/// Source: developer.apple.com/documentation/swiftdata/relationshipcollection
public protocol RelationshipCollection {
  /// The model class at the other end of the relationship.
  associatedtype PersistentElement: PersistentModel
}

extension Array: RelationshipCollection where Element: PersistentModel {
  public typealias PersistentElement = Element
}

extension Optional: RelationshipCollection
where Wrapped: Sequence, Wrapped.Element: PersistentModel {
  public typealias PersistentElement = Wrapped.Element
}

/// An optional of any type.
protocol AnyOptional {
  static var wrappedType: any Any.Type { get }
  static var none: Self { get }
  var wrapped: Any? { get }
  init(wrapping value: Any)
}

extension Optional: AnyOptional {
  static var wrappedType: any Any.Type { Wrapped.self }
  var wrapped: Any? { self }
  init(wrapping value: Any) { self = value as? Wrapped }
}

/// Removes all levels of optional from a value.
func unwrapped(_ value: Any?) -> Any? {
  guard let value else { return nil }
  if let optional = value as? any AnyOptional { return unwrapped(optional.wrapped) }
  return value
}
