import Foundation

/// 64 bits of a keyed archive's content, whatever order its dictionaries were written in:
/// Foundation writes equal values with other bytes each time, which are no edit.
///
/// It reads a binary property list (`bplist00`: objects, a table of their offsets, a trailer of 32
/// bytes) and follows the archive's references from `$top`. Dictionaries and sets count without
/// their order, also archived ones (`NS.keys`, `NS.objects`).
struct ArchiveDigest {
  private let bytes: [UInt8]
  private var offsets: [Int] = []
  private var referenceSize = 0
  /// The archive's objects, by the numbers that references have.
  private var objects: [Int] = []
  private var known: [Int: UInt64] = [:]
  private var underWay: [Int] = []

  /// The digest of an archive; nil for other data, and for a damaged archive.
  static func value(of data: Data) -> UInt64? {
    guard data.starts(with: Array("bplist00".utf8)), data.count >= 40,
      var digest = ArchiveDigest(Array(data))
    else { return nil }
    return digest.valueOfTop()
  }

  private init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    let trailer = bytes.count - 32
    let offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = number(trailer + 8, 8), let table = number(trailer + 24, 8),
      count <= bytes.count, table <= trailer, table + count * offsetSize <= trailer
    else { return nil }
    for place in 0..<count {
      guard let offset = number(table + place * offsetSize, offsetSize), offset < table else {
        return nil
      }
      offsets.append(offset)
    }
    guard let top = number(trailer + 16, 8), let root = dictionary(top),
      let list = root["$objects"].flatMap(array), root["$archiver"] != nil
    else { return nil }
    objects = list
  }

  private mutating func valueOfTop() -> UInt64? {
    guard let top = number(bytes.count - 16, 8), let root = dictionary(top)?["$top"] else {
      return nil
    }
    return value(of: root)
  }

  // MARK: - Content

  /// The digest of an object of the list, references followed.
  private mutating func value(of place: Int) -> UInt64? {
    if let value = known[place] { return value }
    // A circle: how far back it leads.
    if let begun = underWay.lastIndex(of: place) {
      return Self.mix(Self.seed, UInt64(underWay.count - begun))
    }
    // A thread of a queue has half a megabyte of stack.
    guard underWay.count < 64, let (kind, _, _) = head(place) else { return nil }
    underWay.append(place)
    defer { underWay.removeLast() }
    let value: UInt64? =
      switch kind {
      case 0x8:
        reference(place).flatMap {
          objects.indices.contains($0) ? self.value(of: objects[$0]) : nil
        }
      case 0xA, 0xC: array(place).flatMap { members in digest(of: members, isOrdered: kind == 0xA) }
      case 0xD: dictionary(place).flatMap { digest(of: $0) }
      default: scalar(place)
      }
    known[place] = value
    return value
  }

  private mutating func digest(of members: [Int], isOrdered: Bool) -> UInt64? {
    var values: [UInt64] = []
    for member in members {
      guard let value = value(of: member) else { return nil }
      values.append(value)
    }
    return (isOrdered ? values : values.sorted()).reduce(Self.seed, Self.mix)
  }

  private mutating func digest(of entries: [String: Int]) -> UInt64? {
    var entries = entries
    var parts: [UInt64] = []
    // An archived dictionary or set has its members in the order of its hashes.
    if let members = entries["NS.objects"].flatMap(array), isUnordered(entries["$class"]) {
      let keys = entries["NS.keys"].flatMap(array)
      guard keys?.count ?? members.count == members.count else { return nil }
      for (place, member) in members.enumerated() {
        guard let part = digest(of: (keys.map { [$0[place]] } ?? []) + [member], isOrdered: true)
        else { return nil }
        parts.append(part)
      }
      (entries["NS.keys"], entries["NS.objects"]) = (nil, nil)
    }
    for (name, place) in entries {
      guard let value = value(of: place) else { return nil }
      parts.append(Self.mix(Self.hash(name.utf8), value))
    }
    return parts.sorted().reduce(Self.seed, Self.mix)
  }

  /// Whether a class is a dictionary or a set, by its own name.
  private func isUnordered(_ place: Int?) -> Bool {
    guard let place, let number = reference(place), objects.indices.contains(number),
      let name = dictionary(objects[number])?["$classname"].flatMap(text)
    else { return false }
    return [
      "NSDictionary", "NSMutableDictionary", "NSSet", "NSMutableSet", "NSCountedSet",
    ].contains(name)
  }

  private func scalar(_ place: Int) -> UInt64? {
    guard let (kind, count, start) = head(place) else { return nil }
    let size: Int? =
      switch kind {
      case 0x0: 0
      case 0x1, 0x2, 0x3: 1 << Int(bytes[offsets[place]] & 15)
      case 0x4, 0x5: count
      case 0x6: count * 2
      default: nil
      }
    guard let size, size <= bytes.count - start else { return nil }
    return Self.mix(
      UInt64(bytes[offsets[place]]), Self.hash(bytes[start..<start + size]))
  }

  // MARK: - Form

  /// The kind of an object, how many members or bytes it has, and where these begin.
  private func head(_ place: Int) -> (kind: UInt8, count: Int, start: Int)? {
    guard offsets.indices.contains(place) else { return nil }
    let offset = offsets[place]
    let (kind, count) = (bytes[offset] >> 4, Int(bytes[offset] & 15))
    guard count == 15, (0x4...0xD).contains(kind), kind != 0x8 else {
      return (kind, count, offset + 1)
    }
    // The count is a number of its own.
    let size = 1 << Int(bytes[offset + 1] & 15)
    guard bytes[offset + 1] >> 4 == 1, let count = number(offset + 2, size), count <= bytes.count
    else { return nil }
    return (kind, count, offset + 2 + size)
  }

  private func number(_ start: Int, _ size: Int) -> Int? {
    guard start >= 0, size <= 8, start + size <= bytes.count else { return nil }
    return Int(exactly: bytes[start..<start + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  private func reference(_ place: Int) -> Int? {
    guard let (kind, count, start) = head(place), kind == 0x8 else { return nil }
    return number(start, count + 1)
  }

  private func array(_ place: Int) -> [Int]? {
    guard let (kind, count, start) = head(place), kind == 0xA || kind == 0xC else { return nil }
    return references(start, count)
  }

  private func references(_ start: Int, _ count: Int) -> [Int]? {
    guard start + count * referenceSize <= bytes.count else { return nil }
    return (0..<count).compactMap { number(start + $0 * referenceSize, referenceSize) }
  }

  private func dictionary(_ place: Int) -> [String: Int]? {
    guard let (kind, count, start) = head(place), kind == 0xD,
      let keys = references(start, count),
      let values = references(start + count * referenceSize, count)
    else { return nil }
    let names = keys.compactMap(text)
    guard names.count == count, values.count == count else { return nil }
    return Dictionary(zip(names, values)) { first, _ in first }
  }

  private func text(_ place: Int) -> String? {
    guard let (kind, count, start) = head(place) else { return nil }
    let size = kind == 0x6 ? count * 2 : count
    guard kind == 0x5 || kind == 0x6, size <= bytes.count - start else { return nil }
    let part = bytes[start..<start + size]
    return kind == 0x5
      ? String(decoding: part, as: UTF8.self)
      : String(
        decoding: stride(from: start, to: start + size, by: 2).map {
          UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }, as: UTF16.self)
  }

  // MARK: - Hashing

  private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

  /// FNV-1a of 64 bits.
  private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  private static func mix(_ one: UInt64, _ other: UInt64) -> UInt64 {
    withUnsafeBytes(of: (one.littleEndian, other.littleEndian)) { hash($0) }
  }
}
