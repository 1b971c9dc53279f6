import KeyValueCoding

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
