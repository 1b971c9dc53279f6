/// One stored value, as it lies in a row's slot and as it goes to and from a store.
///
/// Attributes and to-one relationships have such a slot; members of a to-many relationship do not
/// (see ``ToManyMembers``). Which Swift or Foundation type a value stands for is said by the slot's
/// ``EntityLayout/Slot``, so that a fetch never boxes: boxing happens where key-value coding asks.
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

// Sound because a row's values never change once the row is shared, and the objects that `object`
// holds are value-like Foundation classes; a transformable value is shared as Apple's stores do.
extension Value: @unchecked Sendable {}

extension Value: Equatable {
  /// Whether both hold the same stored value. Numbers of different cases are never equal: a slot
  /// holds one case only.
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
    // External data, which stand for their bytes.
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
