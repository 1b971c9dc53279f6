import CoreData

extension SchemaChange {
  /// The default of an attribute as SQL with the type of its column; nil without a default.
  func defaultValue(
    of slot: EntityLayout.Slot, _ column: ColumnMapping
  ) throws -> SQLFragment? {
    switch (slot.defaultValue, slot.kind) {
    case (.null, _), (.identity, _): return nil
    case (.integer(let value), .attribute(.booleanAttributeType)):
      return SQLFragment(text: value == 0 ? "FALSE" : "TRUE")
    case (.integer(let value), _): return SQLFragment(.integer(value))
    case (.real(let value), .attribute(.dateAttributeType)):
      return Timestamps.microseconds(value).map {
        "\(SQLFragment(.text(Timestamps.text($0))))::timestamptz"
      }
    case (.real(let value), _): return value.isNaN ? nil : SQLFragment(.real(value))
    case (.text(let value), _): return SQLFragment(.text(value))
    case (.data(let value), _): return SQLFragment(.data(value))
    case (.object(let object), _): return try value(object, slot: slot, column: column)
    }
  }

  private func value(
    _ object: AnyObject, slot: EntityLayout.Slot, column: ColumnMapping
  ) throws -> SQLFragment? {
    switch (column.kind, object) {
    case (.decimal, let number as NSNumber):
      return "\(SQLFragment(.text(number.decimalValue.description)))::numeric"
    case (.uri, let url as NSURL): return SQLFragment(.text(url.absoluteString))
    case (.uuid, let uuid as NSUUID): return "\(SQLFragment(.text(uuid.uuidString)))::uuid"
    default:
      guard let attribute = slot.property as? NSAttributeDescription,
        let data = TransformableCodec(attribute).encode(object)
      else {
        throw CoreDataError.make(
          .migration,
          reason: "The default of “\(slot.name)” could not be made into data: its transformer does "
            + "not take a \(Swift.type(of: object)).")
      }
      return SQLFragment(.data(data))
    }
  }
}
