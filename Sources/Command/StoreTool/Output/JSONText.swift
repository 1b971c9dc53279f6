import Foundation

/// Writes values as JSON, directly from the bytes of the store.
package enum JSONText {
  /// Writes a string. Invalid UTF-8 becomes replacement characters.
  package static func write(_ text: UnsafeBufferPointer<UInt8>, to writer: ByteWriter) {
    if text.contains(where: { $0 >= 0x80 }), String(validating: text, as: UTF8.self) == nil {
      return write(String(decoding: text, as: UTF8.self), to: writer)
    }
    writer.write(byte: quote)
    var start = text.startIndex
    for index in text.indices where isSpecial(text[index]) {
      writer.write(text[start..<index])
      escape(text[index], to: writer)
      start = index + 1
    }
    writer.write(text[start...])
    writer.write(byte: quote)
  }

  package static func write(_ text: String, to writer: ByteWriter) {
    var text = text
    text.withUTF8 { write($0, to: writer) }
  }

  package static func text(_ text: String) -> String {
    let writer = ByteWriter(descriptor: nil)
    write(text, to: writer)
    return writer.collected
  }

  package static func write(
    _ value: some BinaryFloatingPoint & CustomStringConvertible, to writer: ByteWriter
  ) {
    value.isFinite ? writer.write("\(value)") : writer.write("null" as StaticString)
  }

  private static let quote = UInt8(ascii: "\"")

  @inline(__always)
  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == quote || byte == UInt8(ascii: "\\") || byte == 0x7F
  }

  private static func escape(_ byte: UInt8, to writer: ByteWriter) {
    switch byte {
    case UInt8(ascii: "\""): writer.write("\\\"" as StaticString)
    case UInt8(ascii: "\\"): writer.write("\\\\" as StaticString)
    case UInt8(ascii: "\n"): writer.write("\\n" as StaticString)
    case UInt8(ascii: "\r"): writer.write("\\r" as StaticString)
    case UInt8(ascii: "\t"): writer.write("\\t" as StaticString)
    default:
      let digits = Array("0123456789abcdef".utf8)
      writer.write("\\u00" as StaticString)
      writer.write(byte: digits[Int(byte >> 4)])
      writer.write(byte: digits[Int(byte & 15)])
    }
  }
}

/// Encodes reports as JSON: sorted keys, dates in ISO 8601.
package enum JSONReport {
  package static func text(_ value: some Encodable) throws -> String {
    try text(value, formatting: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
  }

  /// JSON on one line.
  package static func line(_ value: some Encodable) throws -> String {
    try text(value, formatting: [.sortedKeys, .withoutEscapingSlashes])
  }

  private static func text(
    _ value: some Encodable, formatting: JSONEncoder.OutputFormatting
  ) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(ISODate.text(date))
    }
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
