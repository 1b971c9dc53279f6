import Foundation

/// Writes values of the sync store in few bytes: numbers by seven bits a byte, names and replicas
/// by their places in a table.
struct StoredWriter {
  private(set) var bytes: [UInt8] = []
  let names: NameTable

  init(names: NameTable) { self.names = names }

  mutating func write(_ byte: UInt8) { bytes.append(byte) }

  mutating func write(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  mutating func write(number: UInt64) {
    var rest = number
    while rest > 0x7f {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func write(signed number: Int64) {
    write(number: UInt64(bitPattern: number << 1 ^ number >> 63))
  }

  mutating func write(word: UInt64) {
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
    }
  }

  mutating func write(text: String) { write(blob: Array(text.utf8)) }

  mutating func write(blob: some Collection<UInt8>) {
    write(number: UInt64(blob.count))
    bytes.append(contentsOf: blob)
  }

  mutating func write(name: String) { write(number: UInt64(names.number(of: name))) }

  mutating func write(_ id: RecordID) {
    write(word: id.high)
    write(word: id.low)
  }

  /// A clock, near another one.
  mutating func write(_ clock: Clock, near ticks: UInt64) {
    write(signed: Int64(bitPattern: clock.ticks &- ticks))
    write(number: UInt64(names.number(of: clock.replica)))
  }

  mutating func write<Value>(
    _ value: Value?, _ write: (inout StoredWriter, Value) -> Void
  ) {
    self.write(value != nil)
    if let value { write(&self, value) }
  }

  mutating func write<Items: Collection>(
    _ items: Items, each write: (inout StoredWriter, Items.Element) -> Void
  ) {
    self.write(number: UInt64(items.count))
    for item in items { write(&self, item) }
  }
}

/// Reads what `StoredWriter` wrote. Bytes that nobody wrote are an error, not a trap.
struct StoredReader {
  struct Damage: Error {}
  private let bytes: [UInt8]
  private var place = 0
  let names: NameTable

  init(_ bytes: some Collection<UInt8>, names: NameTable) {
    self.bytes = Array(bytes)
    self.names = names
  }

  /// What has not been read.
  var rest: [UInt8] { Array(bytes[place...]) }

  mutating func byte() throws -> UInt8 {
    guard place < bytes.count else { throw Damage() }
    defer { place += 1 }
    return bytes[place]
  }

  mutating func flag() throws -> Bool { try byte() != 0 }

  mutating func number() throws -> UInt64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while shift < 64 {
      let byte = try byte()
      number |= UInt64(byte & 0x7f) &<< shift
      if byte < 0x80 { return number }
      shift += 7
    }
    throw Damage()
  }

  mutating func signed() throws -> Int64 {
    let number = try number()
    return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  mutating func word() throws -> UInt64 {
    guard place + 8 <= bytes.count else { throw Damage() }
    var word: UInt64 = 0
    let end = place + 8
    while place < end {
      word = word &<< 8 | UInt64(bytes[place])
      place += 1
    }
    return word
  }

  mutating func blob() throws -> [UInt8] {
    let count = try number()
    guard count <= UInt64(bytes.count - place) else { throw Damage() }
    defer { place += Int(count) }
    return Array(bytes[place..<place + Int(count)])
  }

  mutating func text() throws -> String { String(decoding: try blob(), as: UTF8.self) }

  mutating func name() throws -> String {
    guard let name = names.name(Int(clamping: try number())) else { throw Damage() }
    return name
  }

  mutating func id() throws -> RecordID {
    RecordID(high: try word(), low: try word())
  }

  mutating func clock(near ticks: UInt64) throws -> Clock {
    let distance = try signed()
    guard let replica = names.replica(Int(clamping: try number())) else { throw Damage() }
    return Clock(ticks: ticks &+ UInt64(bitPattern: distance), replica: replica)
  }

  mutating func optional<Value>(_ read: (inout StoredReader) throws -> Value) throws -> Value? {
    try flag() ? try read(&self) : nil
  }

  mutating func items<Item>(_ read: (inout StoredReader) throws -> Item) throws -> [Item] {
    let count = try number()
    guard count <= UInt64(bytes.count - place) else { throw Damage() }
    return try (0..<Int(count)).map { _ in try read(&self) }
  }
}

/// The names and replicas that stored values mention, each with a number. It grows only.
///
/// Used by one session on one thread at a time.
final class NameTable {
  private(set) var names: [String] = []
  private(set) var replicas: [ReplicaID] = []
  private var nameNumbers: [String: Int] = [:]
  private var replicaNumbers: [ReplicaID: Int] = [:]

  init(names: [String] = [], replicas: [ReplicaID] = []) {
    for name in names { _ = number(of: name) }
    for replica in replicas { _ = number(of: replica) }
  }

  func number(of name: String) -> Int {
    if let number = nameNumbers[name] { return number }
    nameNumbers[name] = names.count
    names.append(name)
    return names.count - 1
  }

  func number(of replica: ReplicaID) -> Int {
    if let number = replicaNumbers[replica] { return number }
    replicaNumbers[replica] = replicas.count
    replicas.append(replica)
    return replicas.count - 1
  }

  /// Names and replicas.
  var count: Int { names.count + replicas.count }

  func name(_ number: Int) -> String? { names.indices.contains(number) ? names[number] : nil }

  func replica(_ number: Int) -> ReplicaID? {
    replicas.indices.contains(number) ? replicas[number] : nil
  }
}
