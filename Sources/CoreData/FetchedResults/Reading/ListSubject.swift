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

extension NSManagedObject {
  /// The value of a slot, unboxed. A fault whose row is already there is not fired.
  final func typedValue(inSlot slot: Int) -> TypedValue {
    // Sound: this object keeps the row alive, and reading a row does not replace it.
    if let row = currentReference {
      return row._withUnsafeGuaranteedRef { row in
        if let text = row.plainText(slot) { return .string(text) }
        return TypedValue(row[slot], isDate: layout.isDate(slot))
      }
    }
    return TypedValue(read(slot), isDate: layout.isDate(slot))
  }
}

extension TypedValue {
  /// The value of a slot; seconds become a date if the slot is one.
  init(_ value: Value, isDate: @autoclosure () -> Bool) {
    switch value {
    case .null: self = .null
    case .integer(let value): self = .integer(value)
    case .real(let value):
      self = isDate() ? .date(Date(timeIntervalSinceReferenceDate: value)) : .double(value)
    case .text(let value): self = .string(value)
    case .data(let value): self = .data(value)
    case .identity(let value): self = .object(value.resolved)
    case .object(let object):
      self = ExternalData.loaded(object).map(TypedValue.data) ?? TypedValue(object: object)
    }
  }
}

extension EntityLayout {
  func isDate(_ slot: Int) -> Bool {
    if case .attribute(.dateAttributeType) = slots[slot].kind { true } else { false }
  }
}
