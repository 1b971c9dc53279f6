import KeyValueCoding

/// What predicates and sort keys are read from: a managed object with values, or the row of one that
/// the context does not have (which then need not be made).
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
    case .object(let object): object.objectID.packed.bits
    case .row(let row): row.identity.packed.bits
    }
  }

  func value(inSlot slot: Int) -> TypedValue {
    switch self {
    case .object(let object): object.typedValue(inSlot: slot)
    case .row(let row): row.value(inSlot: slot)
    }
  }
}

extension NSManagedObject {
  /// A slot's value without boxing; a fault that has its row is not fired.
  final func typedValue(inSlot slot: Int) -> TypedValue {
    switch current?[slot] ?? read(slot) {
    case .null: .null
    case .integer(let value): .integer(value)
    case .real(let value): real(value, slot)
    case .text(let value): .string(value)
    case .data(let value): .data(value)
    case .identity(let value): .object(value.resolved)
    case .object(let value): TypedValue(value)
    }
  }

  private func real(_ value: Double, _ slot: Int) -> TypedValue {
    guard case .attribute(.dateAttributeType) = layout.slots[slot].kind else {
      return .double(value)
    }
    return .date(Date(timeIntervalSinceReferenceDate: value))
  }
}
