import CoreData

/// The default of an attribute as the default of its column. Rows that a process with an older
/// model inserts, without this column, then get the same value as migrated rows.
enum ColumnDefault {
  /// The default as a typed SQL literal; nil without a default, and for one that cannot be written
  /// in SQL.
  static func sql(of slot: EntityLayout.Slot, _ type: ColumnType) -> String? {
    guard !(slot.property is NSDerivedAttributeDescription) else { return nil }
    switch (slot.defaultValue, type) {
    case (.null, _), (.identity, _): return nil
    case (.integer(let value), .boolean): return value == 0 ? "FALSE" : "TRUE"
    case (.integer(let value), _): return typed("\(value)", type: type)
    case (.real(let value), .timestamp):
      return Timestamps.microseconds(value).flatMap { typed(Timestamps.text($0), type: type) }
    case (.real(let value), _):
      if value.isNaN { return nil }
      return typed(
        value.isInfinite ? (value > 0 ? "Infinity" : "-Infinity") : "\(value)", type: type)
    case (.text(let value), _): return typed(value, type: type)
    case (.data(let value), _): return typed(hexadecimal(value), type: type)
    case (.object(let object), _): return sql(of: object, slot, type: type)
    }
  }

  private static func sql(
    of object: AnyObject, _ slot: EntityLayout.Slot, type: ColumnType
  ) -> String? {
    switch (type, object) {
    case (.decimal, let number as NSNumber):
      return typed(number.decimalValue.description, type: type)
    case (.uri, let url as NSURL): return typed(url.absoluteString, type: type)
    case (.uuid, let uuid as NSUUID): return typed(uuid.uuidString, type: type)
    default:
      // A value that the transformer rejects has no column default; the error is reported where the
      // value is used.
      return (slot.property as? NSAttributeDescription)
        .flatMap { TransformableCodec($0).encode(object) }.flatMap {
          typed(hexadecimal($0), type: type)
        }
    }
  }

  private static func hexadecimal(_ data: Data) -> String {
    "\\x" + data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// A typed literal; nil for a text with NUL, which SQL cannot have.
  private static func typed(_ text: String, type: ColumnType) -> String? {
    if text.utf8.contains(0) { return nil }
    let escaped = text.replacing("\\", with: "\\\\").replacing("'", with: "''")
    let name = type.declaration.components(separatedBy: " COLLATE")[0]
    return "E'\(escaped)'::\(name)"
  }
}
