import KeyValueCoding

/// The source of predicates' values and sort keys: a managed object with values, or the row of an
/// unregistered one, which then need not be made.
enum ListSubject {
  case object(NSManagedObject)
  case row(RowObject)

  var instance: AnyObject {
    switch self {
    case .object(let object): object
    case .row(let row): row
    }
  }

  var word: UInt64 {
    switch self {
    case .object(let object): object.packedIdentity.bits
    case .row(let row): row.packed.bits
    }
  }

  /// nil for a fault and for an object whose row is gone.
  var values: Row? {
    switch self {
    case .object(let object): object.current
    case .row(let row): row.row
    }
  }

  func value(inSlot slot: Int) -> TypedValue {
    switch self {
    case .object(let object): object.typedValue(inSlot: slot)
    case .row(let row): row.value(inSlot: slot)
    }
  }
}
