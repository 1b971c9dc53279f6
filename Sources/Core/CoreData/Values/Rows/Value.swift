/// A stored value, as in a row's slot and on its way to and from a store.
///
/// Attributes and to-one relationships have a slot; members of a to-many relationship do not (see
/// ``ToManyMembers``). The slot's ``EntityLayout/Slot`` determines the Swift or Foundation type of
/// a value, so that a fetch never boxes: only key-value coding does.
///
///     attribute type                    case
///     Integer 16, 32, 64, Boolean       integer
///     Double, Float, Date               real       (dates: seconds since 2001-01-01 UTC)
///     String                            text
///     Binary                            data
///     Decimal, UUID, URI, transformable,
///     composite, object ID              object     (NSDecimalNumber, NSUUID, NSURL, as set, …)
///     to-one relationship               identity
package enum Value {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case data(Data)
  case identity(NSManagedObjectID)
  case object(AnyObject)
}

// Sound: values of a shared row never change, and the objects in `object` are immutable Foundation
// classes; transformable values are shared between threads as in Apple's stores.
extension Value: @unchecked Sendable {}

extension Value: Equatable {
  /// Whether both are equal as stored values. Numbers of different cases are never equal: a slot
  /// holds only one case.
  package static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right || (left.isNaN && right.isNaN)
    case (.text(let left), .text(let right)): left.hasBytes(of: right)
    case (.data(let left), .data(let right)): left == right
    case (.identity(let left), .identity(let right)):
      left === right || left.resolved.isEqual(right.resolved)
    case (.object(let left), .object(let right)):
      left === right || ((left as? NSObject)?.isEqual(right) ?? false)
    // External data equal their bytes.
    case (.data(let data), .object(let object)), (.object(let object), .data(let data)):
      (object as? ExternalData)?.data == data
    default: false
    }
  }
}

extension Value {
  package var isNull: Bool {
    if case .null = self { true } else { false }
  }
}
