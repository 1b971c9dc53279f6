import Foundation

extension TypedValue: Hashable {
  /// Equality as in predicates: numbers across their types, strings scalar by scalar, objects by
  /// identity or `isEqual`, collections by kind and elements; nil equals nil.
  package static func == (left: TypedValue, right: TypedValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.string(let left), .string(let right)): isSameText(left, right)
    case (.date(let left), .date(let right)): left == right
    case (.data(let left), .data(let right)): left == right
    case (.uuid(let left), .uuid(let right)): left == right
    case (.object(let left), .object(let right)): isSameObject(left, right)
    case (.collection(let left), .collection(let right)): isSameCollection(left, right)
    case (.hashable(let left), .hashable(let right)): left == right
    default: left.number != nil && left.number == right.number
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null, .opaque: break
    case .integer(let value): hasher.combine(Double(value))
    case .double(let value): hasher.combine(value)
    case .decimal(let value): hasher.combine(value.nearestDouble)
    case .string(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .data(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .object(let object): hasher.combine(Self.objectHash(object))
    case .collection(let collection): hasher.combine(collection.count)
    case .hashable(let value): hasher.combine(value)
    }
  }

  /// The order of two values; nil if they have none (a string against a number). Null comes first.
  package func order(to other: TypedValue) -> ComparisonResult? {
    switch (self, other) {
    case (.null, .null): .orderedSame
    case (.null, _): .orderedAscending
    case (_, .null): .orderedDescending
    case (.string(let left), .string(let right)): textOrder(left, right)
    case (.date(let left), .date(let right)): left.compare(right)
    case (.uuid(let left), .uuid(let right)): textOrder(left.uuidString, right.uuidString)
    case (.data(let left), .data(let right)): dataOrder(left, right)
    case (.object(let left as any OrderedObject), .object(let right)): left.order(to: right)
    default: numberOrder(to: other)
    }
  }

  /// The value as a number; nil for other kinds.
  package var number: Number? {
    switch self {
    case .integer(let value): .integer(value)
    case .double(let value): .double(value)
    case .decimal(let value): .decimal(value)
    default: nil
    }
  }

  private func numberOrder(to other: TypedValue) -> ComparisonResult? {
    guard let left = number, let right = other.number else { return nil }
    return left.order(to: right)
  }

  private static func identity(_ object: AnyObject) -> AnyObject {
    (object as? any ComparedByIdentity)?.comparedIdentity ?? object
  }

  private static func isSameObject(_ left: AnyObject, _ right: AnyObject) -> Bool {
    if left === right { return true }
    let (left, right) = (identity(left), identity(right))
    return left === right || ((left as? NSObject)?.isEqual(right) ?? false)
  }

  private static func objectHash(_ object: AnyObject) -> Int {
    let identity = identity(object)
    return (identity as? NSObject)?.hash ?? ObjectIdentifier(identity).hashValue
  }

  private static func isSameCollection(_ left: ElementCollection, _ right: ElementCollection)
    -> Bool
  {
    guard left.kind == right.kind, left.count == right.count else { return false }
    switch left.kind {
    case .array, .orderedSet:
      return zip(left.elements, right.elements).allSatisfy { TypedValue($0) == TypedValue($1) }
    case .set:
      let members = Set(right.elements.map { TypedValue($0) })
      return left.elements.allSatisfy { members.contains(TypedValue($0)) }
    case .dictionary:
      return (left.base as? NSDictionary)?.isEqual(right.base as? NSDictionary) ?? false
    }
  }
}

/// Returns whether two strings have equal Unicode scalars: `isEqual:` of strings, without canonical
/// equivalence.
package func isSameText(_ left: String, _ right: String) -> Bool {
  left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
}

/// The order of two strings by Unicode scalars, which is the order of their UTF-8 bytes and
/// SQLite's default order.
package func textOrder(_ left: String, _ right: String) -> ComparisonResult {
  if left.utf8.lexicographicallyPrecedes(right.utf8) { return .orderedAscending }
  return isSameText(left, right) ? .orderedSame : .orderedDescending
}

private func dataOrder(_ left: Data, _ right: Data) -> ComparisonResult {
  if left == right { return .orderedSame }
  return left.lexicographicallyPrecedes(right) ? .orderedAscending : .orderedDescending
}
