/// The values of an XML store as text; the table is at ``XMLStoreFile``.
enum XMLValue {
  static let typeNames: [NSAttributeType: String] = [
    .integer16AttributeType: "int16", .integer32AttributeType: "int32",
    .integer64AttributeType: "int64", .booleanAttributeType: "bool",
    .doubleAttributeType: "double", .floatAttributeType: "float", .dateAttributeType: "date",
    .stringAttributeType: "string", .decimalAttributeType: "decimal", .UUIDAttributeType: "uuid",
    .URIAttributeType: "uri", .binaryDataAttributeType: "binary",
    .transformableAttributeType: "transformable",
  ]

  /// The end of the opening tag, and the text of the element.
  static func content(_ value: StoredValue, type: String) -> String {
    switch value {
    case .integer(let value): ">\(value)"
    case .real(let value): ">\(type == "date" ? date(value) : "\(value)")"
    case .data(let data): ">\(data.base64EncodedString())"
    case .text(let text):
      text.unicodeScalars.allSatisfy(isAllowed)
        ? ">\(XMLStoreWriter.escaped(text))"
        : " encoding=\"base64\">\(Data(text.utf8).base64EncodedString())"
    }
  }

  private static func date(_ seconds: Double) -> String {
    let text = String(format: "%.20f", seconds)
    return Double(text) == seconds ? text : "\(seconds)"
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD: true
    case 0..<0x20, 0xFFFE, 0xFFFF: false
    default: true
    }
  }

  /// The value of an attribute that a text stands for; nil if the text is no such value.
  static func value(
    _ text: String, isEncoded: Bool, of attribute: NSAttributeDescription
  ) -> StoredValue? {
    switch attribute.attributeType {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      Int64(trimmed(text)).map(StoredValue.integer)
    case .booleanAttributeType: truth(trimmed(text)).map { .integer($0 ? 1 : 0) }
    case .doubleAttributeType, .floatAttributeType, .dateAttributeType:
      Double(trimmed(text)).map(StoredValue.real)
    case .binaryDataAttributeType, .transformableAttributeType:
      Data(base64Encoded: text, options: .ignoreUnknownCharacters).map(StoredValue.data)
    case .stringAttributeType: isEncoded ? decoded(text) : .text(text)
    default: .text(trimmed(text))
    }
  }

  private static func trimmed(_ text: String) -> String {
    text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func truth(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "1", "yes", "true": true
    case "0", "no", "false": false
    default: nil
    }
  }

  private static func decoded(_ text: String) -> StoredValue? {
    Data(base64Encoded: text).flatMap { String(data: $0, encoding: .utf8) }.map(StoredValue.text)
  }
}
