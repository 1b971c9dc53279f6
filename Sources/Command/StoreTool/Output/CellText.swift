import CoreData

/// Texts of values, common to all formats without types of their own.
package enum CellText {
  /// A text for people: data is described by its size, control characters are made visible.
  package static func short(_ cell: TableCell) -> String {
    switch cell {
    case .object(let value as Data): size(of: value)
    case .object(let value): visible(text(of: value))
    default: visible(plain(cell))
    }
  }

  /// A text for programs: data is encoded in base 64.
  package static func plain(_ cell: TableCell) -> String {
    switch cell {
    case .null: ""
    case .boolean(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .real(let value): "\(value)"
    case .single(let value): "\(value)"
    case .date(let value): ISODate.text(Date(timeIntervalSinceReferenceDate: value))
    case .text(let value): String(decoding: value, as: UTF8.self)
    case .reference(let entity, let key): "\(entity)/p\(key)"
    case .object(let value): text(of: value)
    }
  }

  /// The text of a value from key-value coding.
  package static func text(of value: Any) -> String {
    switch value {
    case let value as String: value
    case let value as Date: ISODate.text(value)
    case let value as UUID: value.uuidString
    case let value as URL: value.absoluteString
    case let value as Data: value.base64EncodedString()
    case let value as NSDecimalNumber: value.stringValue
    case let value as NSNumber: value.stringValue
    case let value as NSManagedObjectID: name(of: value)
    // Its description would contain its address, which changes.
    case let value as ArchivedUnknownObject: "<\(value.classNames.first ?? "object")>"
    default: "\(value)"
    }
  }

  /// The text of a property's value from key-value coding, for which a Boolean is a number.
  package static func text(of value: Any, _ property: NSPropertyDescription?) -> String {
    guard (property as? NSAttributeDescription)?.attributeType == .booleanAttributeType,
      let number = value as? NSNumber
    else { return text(of: value) }
    return number.boolValue ? "true" : "false"
  }

  /// The end of the object's URI: `Entity/p7`.
  package static func name(of identity: NSManagedObjectID) -> String {
    identity.uriRepresentation().path.split(separator: "/").suffix(2).joined(separator: "/")
  }

  package static func size(of data: Data) -> String { "<\(size(data.count))>" }

  package static func size(_ bytes: Int) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB"]
    var (value, unit) = (Double(bytes), 0)
    while value >= 1000, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    if unit == 0 { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
    return String(format: value < 10 ? "%.1f %@" : "%.0f %@", value, units[unit] as NSString)
  }

  /// A text without characters that move a terminal's cursor or change its colours.
  package static func visible(_ text: String, keepsLines: Bool = false) -> String {
    // Most texts. Looking up the category of each scalar costs ten times as much as writing it.
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
    guard text.unicodeScalars.contains(where: isHidden) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += keepsLines ? "\n" : "⏎"
      case "\t": result += "⇥"
      case _ where isHidden(scalar): result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    let category = scalar.properties.generalCategory
    return scalar.value < 0x20 || category == .control || (0x202A...0x202E).contains(scalar.value)
      || (0x2066...0x2069).contains(scalar.value)
  }
}
