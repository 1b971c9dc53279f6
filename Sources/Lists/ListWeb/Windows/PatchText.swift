import ListKit

/// Writes operations as the JSON of a message.
///
/// The text is that of an encoder with sorted keys. Written by hand: every window that shows a list
/// gets a message of its own for each change, and an encoder takes twenty times as long.
struct PatchText {
  private var bytes: [UInt8] = []

  static func text(_ operations: [PatchOperation]) -> String {
    var writer = PatchText()
    writer.bytes.reserveCapacity(1024)
    writer.list(operations) { $0.write($1) }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The JSON of one operation.
  static func text(_ operation: PatchOperation) -> String {
    var writer = PatchText()
    writer.bytes.reserveCapacity(1024)
    writer.write(operation)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private mutating func write(_ operation: PatchOperation) {
    var object = Object()
    object.field("alert", operation.alert, in: &self) { $0.write($1) }
    object.field("byOthers", operation.byOthers, in: &self) { $0.write($1) }
    object.field("clears", operation.clears, in: &self) { $0.write($1) }
    object.field("counts", operation.counts, in: &self) { writer, counts in
      writer.list(counts) { $0.list($1) { $0.write($1) } }
    }
    object.field("enabled", operation.enabled, in: &self) { $0.write($1) }
    object.field("first", operation.first, in: &self) { $0.write($1) }
    // Seldom, and of numbers that are not whole.
    object.field("grids", operation.grids, in: &self) { $0.add(JSON.text($1)) }
    object.field("how", operation.how, in: &self) { $0.write($1) }
    object.field("html", operation.html, in: &self) { $0.write($1) }
    object.field("id", operation.id, in: &self) { $0.write($1) }
    object.field("index", operation.index, in: &self) { $0.list($1) { $0.write($1) } }
    object.field("inserted", operation.inserted, in: &self) { $0.list($1) { $0.write($1) } }
    object.field("moved", operation.moved, in: &self) { $0.list($1) { $0.write($1) } }
    object.field("op", operation.op, in: &self) { $0.write($1) }
    object.field("others", operation.others, in: &self) { $0.list($1) { $0.write($1) } }
    object.field("reloaded", operation.reloaded, in: &self) { $0.list($1) { $0.write($1) } }
    object.field("removed", operation.removed, in: &self) { $0.list($1) { $0.write($1) } }
    object.field("row", operation.row, in: &self) { $0.write($1) }
    object.field("rows", operation.rows, in: &self) { $0.list($1) { $0.write($1) } }
    object.field("sections", operation.sections, in: &self) { $0.list($1) { $0.write($1) } }
    object.field("text", operation.text, in: &self) { $0.write($1) }
    object.field("title", operation.title, in: &self) { $0.write($1) }
    object.field("typed", operation.typed, in: &self) { $0.write($1) }
    object.end(in: &self)
  }

  private mutating func write(_ other: Company.Other) {
    var object = Object()
    object.field("colour", other.colour, in: &self) { $0.write($1) }
    object.field("row", other.row, in: &self) { $0.write($1) }
    object.end(in: &self)
  }

  private mutating func write(_ row: PatchOperation.Inserted) {
    var object = Object()
    object.field("cause", row.cause, in: &self) { $0.write($1) }
    object.field("html", row.html, in: &self) { $0.write($1) }
    object.field("place", row.place, in: &self) { $0.write($1) }
    object.end(in: &self)
  }

  private mutating func write(_ row: PatchOperation.Moved) {
    var object = Object()
    object.field("place", row.place, in: &self) { $0.write($1) }
    object.field("row", row.row, in: &self) { $0.write($1) }
    object.end(in: &self)
  }

  private mutating func write(_ row: PatchOperation.Reloaded) {
    var object = Object()
    object.field("html", row.html, in: &self) { $0.write($1) }
    object.field("row", row.row, in: &self) { $0.write($1) }
    object.end(in: &self)
  }

  private mutating func write(_ row: PatchOperation.Removed) {
    var object = Object()
    object.field("cause", row.cause, in: &self) { $0.write($1) }
    object.field("row", row.row, in: &self) { $0.write($1) }
    object.end(in: &self)
  }

  /// A pair, or with a footer a triple.
  private mutating func write(_ section: TableState.Section) {
    add("[")
    if let title = section.title { write(title) } else { add("null") }
    add(",")
    write(section.count)
    if let footer = section.footer {
      add(",")
      write(footer)
    }
    add("]")
  }

  // MARK: - Parts of JSON

  /// The fields of an object, in the order in which they are written.
  private struct Object {
    private var isEmpty = true

    mutating func field<Value>(
      _ name: StaticString, _ value: Value?, in writer: inout PatchText,
      _ write: (inout PatchText, Value) -> Void
    ) {
      guard let value else { return }
      writer.add(isEmpty ? "{\"" : ",\"")
      writer.add(name)
      writer.add("\":")
      write(&writer, value)
      isEmpty = false
    }

    func end(in writer: inout PatchText) { writer.add(isEmpty ? "{}" : "}") }
  }

  private mutating func list<Value>(
    _ values: [Value], _ write: (inout PatchText, Value) -> Void
  ) {
    add("[")
    for (index, value) in values.enumerated() {
      if index > 0 { add(",") }
      write(&self, value)
    }
    add("]")
  }

  private mutating func write(_ value: Bool) { add(value ? "true" : "false") }
  private mutating func write(_ value: Int) { add(String(value)) }

  private mutating func write(_ text: String) {
    var text = text
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { source in
      var start = 0
      for index in source.indices where Self.isSpecial(source[index]) {
        bytes.append(contentsOf: source[start..<index])
        escape(source[index])
        start = index + 1
      }
      bytes.append(contentsOf: source[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): add("\\\"")
    case UInt8(ascii: "\\"): add("\\\\")
    case 0x08: add("\\b")
    case 0x09: add("\\t")
    case 0x0A: add("\\n")
    case 0x0C: add("\\f")
    case 0x0D: add("\\r")
    default:
      add("\\u00")
      add(byte < 0x10 ? "0" : "1")
      add(String(byte & 0xF, radix: 16))
    }
  }

  private mutating func add(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  private mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }
}
