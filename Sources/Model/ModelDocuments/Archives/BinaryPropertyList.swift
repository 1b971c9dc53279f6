import Foundation

/// Writes binary property lists, including the identifiers of keyed archives. Equal values give
/// equal bytes.
///
///     "bplist00"
///     objects    a marker byte (type in the upper half, count in the lower one, where 15 means
///                that an integer follows), then the content; lists hold the numbers of objects
///     offsets    the position of each object
///     trailer    6 zero bytes, the size of an offset, the size of a number, then in 8 bytes each:
///                the count of objects, the number of the root, the position of the offsets
///
/// Foundation is unsuitable: it writes dictionaries in hash order, which differs from run to run,
/// and has no public type for identifiers. All integers are big-endian.
package struct BinaryPropertyList {
  private enum Node {
    case bytes([UInt8])
    case list([Int])
    case table(keys: [Int], values: [Int])
  }

  private var nodes: [Node] = []
  private var strings: [String: Int] = [:]

  /// Encodes a value made of dictionaries, arrays, strings, numbers, dates, data and references.
  package static func data(_ root: [String: Any]) throws -> Data {
    var list = BinaryPropertyList()
    let number = try list.add(root)
    return list.encoded(root: number)
  }

  private mutating func add(_ value: Any) throws -> Int {
    switch value {
    case let text as String: return add(text)
    case let table as [String: Any]: return try add(table)
    case let list as [Any]: return try add(list)
    default: return append(.bytes(try Self.bytes(of: value)))
    }
  }

  private mutating func add(_ text: String) -> Int {
    if let known = strings[text] { return known }
    let number = append(.bytes(Self.bytes(of: text)))
    strings[text] = number
    return number
  }

  private mutating func add(_ table: [String: Any]) throws -> Int {
    let number = append(.list([]))
    let pairs = table.sorted { $0.key < $1.key }
    let keys = pairs.map { add($0.key) }
    nodes[number] = .table(keys: keys, values: try pairs.map { try add($0.value) })
    return number
  }

  private mutating func add(_ list: [Any]) throws -> Int {
    let number = append(.list([]))
    nodes[number] = .list(try list.map { try add($0) })
    return number
  }

  private mutating func append(_ node: Node) -> Int {
    nodes.append(node)
    return nodes.count - 1
  }

  private static func bytes(of value: Any) throws -> [UInt8] {
    switch value {
    case let reference as ArchiveBuilder.Reference:
      let content = shortest(UInt64(reference.identifier))
      return [0x80 | UInt8(content.count - 1)] + content
    case let data as Data: return marker(0x40, count: data.count) + data
    case let date as Date: return [0x33] + bigEndian(date.timeIntervalSinceReferenceDate.bitPattern)
    // Swift's own numbers match as well, since casts bridge them.
    case let number as NSNumber: return bytes(of: number)
    default:
      throw ModelFileError(
        file: "model archive", problem: "a \(type(of: value)) cannot stand in a property list")
    }
  }

  /// Encodes a number. Type "c" means a truth value; 8-bit integers have it too, but do not occur
  /// in archives of models.
  private static func bytes(of number: NSNumber) -> [UInt8] {
    switch String(cString: number.objCType) {
    case "c" where number.intValue == 0 || number.intValue == 1: [number.boolValue ? 9 : 8]
    case "f": [0x22] + bigEndian(UInt64(number.floatValue.bitPattern)).suffix(4)
    case "d": [0x23] + bigEndian(number.doubleValue.bitPattern)
    default: bytes(of: number.intValue)
    }
  }

  /// Encodes an integer: in eight bytes if negative, or else in the fewest of 1, 2, 4 and 8.
  private static func bytes(of number: Int) -> [UInt8] {
    let content =
      number < 0 ? bigEndian(UInt64(bitPattern: Int64(number))) : shortest(UInt64(number))
    return [0x10 | UInt8(content.count.trailingZeroBitCount)] + content
  }

  private static func bytes(of text: String) -> [UInt8] {
    if text.utf8.allSatisfy({ $0 < 128 }) {
      return marker(0x50, count: text.utf8.count) + Array(text.utf8)
    }
    let units = Array(text.utf16)
    return marker(0x60, count: units.count)
      + units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
  }

  private static func marker(_ type: UInt8, count: Int) -> [UInt8] {
    count < 15 ? [type | UInt8(count)] : [type | 15] + bytes(of: count)
  }

  private static func bigEndian(_ number: UInt64) -> [UInt8] {
    stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static func shortest(_ number: UInt64) -> [UInt8] {
    let size = number < 1 << 8 ? 1 : number < 1 << 16 ? 2 : number < 1 << 32 ? 4 : 8
    return bigEndian(number).suffix(size)
  }

  private func encoded(root: Int) -> Data {
    let size = Self.shortest(UInt64(nodes.count)).count
    func numbers(_ list: [Int]) -> [UInt8] {
      list.flatMap { Self.bigEndian(UInt64($0)).suffix(size) }
    }
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for node in nodes {
      offsets.append(bytes.count)
      switch node {
      case .bytes(let content): bytes += content
      case .list(let list): bytes += Self.marker(0xa0, count: list.count) + numbers(list)
      case .table(let keys, let values):
        bytes += Self.marker(0xd0, count: keys.count) + numbers(keys) + numbers(values)
      }
    }
    let start = bytes.count
    let offsetSize = Self.shortest(UInt64(start)).count
    for offset in offsets { bytes += Self.bigEndian(UInt64(offset)).suffix(offsetSize) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(size)]
    for number in [nodes.count, root, start] { bytes += Self.bigEndian(UInt64(number)) }
    return Data(bytes)
  }
}
