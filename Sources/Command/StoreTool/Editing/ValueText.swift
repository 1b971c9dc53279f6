import CoreData

/// Parses values by the type of their attribute.
package enum ValueText {
  /// The value of a text. Throws a usage error that describes the expected form.
  ///
  /// - Parameter mayReadFiles: whether `@FILE` stands for the contents of a file, for attributes of
  ///   binary data.
  package static func value(
    _ text: String, for attribute: NSAttributeDescription, mayReadFiles: Bool
  ) throws -> Any {
    func failure(_ expected: String) -> ToolError {
      ToolError(
        .usage,
        description:
          "“\(text)” is no value of \(attribute.entity.name ?? "").\(attribute.name): expected \(expected)."
      )
    }
    func integer(_ range: ClosedRange<Int64>) throws -> NSNumber {
      guard let value = Int64(text), range.contains(value) else {
        throw failure("a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      return NSNumber(value: value)
    }
    switch attribute.attributeType {
    case .integer16AttributeType: return try integer(-32768...32767)
    case .integer32AttributeType: return try integer(-2_147_483_648...2_147_483_647)
    case .integer64AttributeType: return try integer(.min ... .max)
    case .doubleAttributeType, .floatAttributeType:
      guard let value = Double(text) else { throw failure("a number") }
      return NSNumber(value: value)
    case .decimalAttributeType:
      if text == "NaN" { return NSDecimalNumber.notANumber }
      guard Double(text) != nil, let value = Decimal(string: text) else {
        throw failure("a decimal number")
      }
      return NSDecimalNumber(decimal: value)
    case .booleanAttributeType:
      guard let value = booleans[text.lowercased()] else { throw failure("true or false") }
      return NSNumber(value: value)
    case .stringAttributeType: return text
    case .dateAttributeType:
      if text == "now" { return Date() }
      if text.hasPrefix("@"), let seconds = Double(text.dropFirst()) {
        return Date(timeIntervalSinceReferenceDate: seconds)
      }
      guard let value = ISODate.date(text) else {
        throw failure("a date such as 2026-11-23 or 2026-11-23T01:30:00Z, or “now”")
      }
      return value
    case .UUIDAttributeType:
      guard let value = UUID(uuidString: text) else { throw failure("a UUID") }
      return value
    case .URIAttributeType:
      guard let value = URL(string: text) else { throw failure("a URI") }
      return value
    case .binaryDataAttributeType, .transformableAttributeType:
      if mayReadFiles, text.hasPrefix("@") {
        guard let data = FileManager.default.contents(atPath: String(text.dropFirst())) else {
          throw ToolError(.noInput, description: "The file \(text.dropFirst()) cannot be read.")
        }
        return data
      }
      guard let value = Data(base64Encoded: text) else {
        throw failure("data in base 64, or @FILE")
      }
      return value
    default: throw failure("an attribute of a type that can be typed")
    }
  }

  private static let booleans = [
    "true": true, "yes": true, "1": true, "false": false, "no": false, "0": false,
  ]
}
