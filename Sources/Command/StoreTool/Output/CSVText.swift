/// Fields and records by RFC 4180.
package enum CSVText {
  package static func field(_ text: String) -> String {
    let needsQuotes =
      text.isEmpty || text.first == " " || text.last == " "
      || text.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
    return needsQuotes ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
  }
}

extension CSVText {
  /// Parses records. Quoted fields may contain commas, quotes and line breaks; an empty unquoted
  /// field is nil.
  package static func records(_ text: String) -> [[String?]] {
    var records: [[String?]] = []
    var record: [String?] = []
    var field: [UInt8] = []
    var (isQuoted, wasQuoted) = (false, false)
    func value() -> String? {
      field.isEmpty && !wasQuoted ? nil : String(decoding: field, as: UTF8.self)
    }
    func endField() {
      record.append(value())
      field.removeAll(keepingCapacity: true)
      wasQuoted = false
    }
    let bytes = Array(text.utf8)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\"") where isQuoted:
        if index < bytes.count, bytes[index] == byte {
          field.append(byte)
          index += 1
        } else {
          isQuoted = false
        }
      case _ where isQuoted: field.append(byte)
      case UInt8(ascii: "\"") where field.isEmpty && !wasQuoted:
        (isQuoted, wasQuoted) = (true, true)
      case UInt8(ascii: ","): endField()
      case UInt8(ascii: "\r") where index < bytes.count && bytes[index] == UInt8(ascii: "\n"):
        continue
      case UInt8(ascii: "\n"):
        endField()
        records.append(record)
        record = []
      default: field.append(byte)
      }
    }
    if !record.isEmpty || !field.isEmpty || wasQuoted {
      endField()
      records.append(record)
    }
    return records
  }
}
