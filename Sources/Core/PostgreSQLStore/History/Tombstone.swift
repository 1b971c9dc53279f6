import CoreData

/// The preserved values of a deleted object, as a JSON object of texts by slot path.
enum Tombstone {
  /// SQL of the JSON object; NULL for an entity without preserved values.
  static func sql(_ entity: EntityMapping, schema: StoreSchema) -> String {
    let types = schema.types(of: entity.layout)
    let parts = HistoryLayout.preserved(entity.layout).compactMap { slot -> String? in
      guard let column = entity.columns[slot], let type = types[slot] else { return nil }
      let name = entity.layout.slots[slot].name.replacing("'", with: "''")
      return
        "jsonb_build_object('\(name)', \(text(type, column: "t0.\(SchemaNames.quoted(column.name))")))"
    }
    guard !parts.isEmpty else { return "NULL::jsonb" }
    return "jsonb_strip_nulls(\(parts.joined(separator: " || ")))"
  }

  private static func text(_ type: ColumnType, column: String) -> String {
    switch type {
    case .boolean: "\(column)::integer::text"
    case .timestamp: "(extract(epoch FROM \(column)) * 1000000)::bigint::text"
    case .transformable, .data: "encode(\(column), 'base64')"
    default: "\(column)::text"
    }
  }

  static func values(_ json: String, layout: EntityLayout) -> [AnyHashable: Any]? {
    guard
      let object = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: String]
    else { return nil }
    var values: [AnyHashable: Any] = [:]
    for index in HistoryLayout.preserved(layout) {
      let slot = layout.slots[index]
      guard let text = object[slot.name], case .attribute(let type) = slot.kind,
        let value = value(text, type: type, slot: slot)?.boxed(type)
      else { continue }
      enter(value, path: slot.name.split(separator: ".").map(String.init)[...], in: &values)
    }
    return values.isEmpty ? nil : values
  }

  private static func value(
    _ text: String, type: NSAttributeType, slot: EntityLayout.Slot
  ) -> Value? {
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
      .booleanAttributeType:
      return Int64(text).map(Value.integer)
    case .doubleAttributeType, .floatAttributeType: return Double(text).map(Value.real)
    case .dateAttributeType:
      // Converts from the epoch 1970 to 2000.
      return Int64(text).map { .real(Timestamps.seconds($0 - 946_684_800_000_000)) }
    case .stringAttributeType: return .text(text)
    case .decimalAttributeType:
      return Decimal(string: text).map { .object(NSDecimalNumber(decimal: $0)) }
    case .URIAttributeType: return URL(string: text).map { .object($0 as NSURL) }
    case .UUIDAttributeType: return UUID(uuidString: text).map { .object($0 as NSUUID) }
    case .binaryDataAttributeType: return data(text).map(Value.data)
    case .transformableAttributeType:
      guard let attribute = slot.property as? NSAttributeDescription else { return nil }
      return data(text).map { .object(TransformableCodec(attribute).decode($0)) }
    default: return nil
    }
  }

  private static func data(_ text: String) -> Data? {
    Data(base64Encoded: text, options: .ignoreUnknownCharacters)
  }

  /// Adds a value to nested dictionaries: a composite attribute is a dictionary of its elements.
  private static func enter(
    _ value: Any, path: ArraySlice<String>, in values: inout [AnyHashable: Any]
  ) {
    guard let name = path.first, path.count > 1 else {
      if let name = path.first { values[name] = value }
      return
    }
    var elements = values[name] as? [AnyHashable: Any] ?? [:]
    enter(value, path: path.dropFirst(), in: &elements)
    values[name] = elements
  }
}
