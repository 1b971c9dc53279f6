import Foundation

extension SyncValue {
  /// 32 bits of the value, the same on every machine: FNV-1a over a tag and the value's bytes, or
  /// over what a keyed archive has in it.
  ///
  /// Of two values with one clock, the one with the larger fingerprint wins.
  public var fingerprint: UInt32 {
    var hash = FingerprintHash()
    hash.add(self)
    return hash.state
  }
}

/// FNV-1a of 32 bits.
private struct FingerprintHash {
  var state: UInt32 = 0x811c_9dc5

  mutating func add(_ byte: UInt8) { state = (state ^ UInt32(byte)) &* 0x0100_0193 }

  mutating func add(_ number: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  mutating func add(_ bytes: some Collection<UInt8>) {
    add(UInt64(bytes.count))
    for byte in bytes { add(byte) }
  }

  mutating func add(_ id: RecordID) {
    add(id.high)
    add(id.low)
  }

  mutating func add(_ value: SyncValue) {
    switch value {
    case .null: add(0 as UInt8)
    case .bool(let flag):
      add(1 as UInt8)
      add(flag ? 1 : 0 as UInt8)
    case .integer(let number):
      add(2 as UInt8)
      add(UInt64(bitPattern: number))
    case .double(let number):
      add(3 as UInt8)
      add(number.bitPattern)
    case .decimal(let digits):
      add(4 as UInt8)
      add(digits.utf8)
    case .text(let text):
      add(5 as UInt8)
      add(text.utf8)
    case .date(let seconds):
      add(6 as UInt8)
      add(seconds.bitPattern)
    case .data(let data):
      add(7 as UInt8)
      if let digest = ArchiveDigest.value(of: data) { add(digest) } else { add(data) }
    case .uuid(let uuid):
      add(8 as UInt8)
      add(RecordID(uuid))
    case .url(let text):
      add(9 as UInt8)
      add(text.utf8)
    case .reference(let id):
      add(10 as UInt8)
      add(id)
    case .position(let list, let key):
      add(11 as UInt8)
      add(list ?? RecordID(high: 0, low: 0))
      add(key.utf8)
    case .blob(let hash, let size):
      add(12 as UInt8)
      add(hash)
      add(UInt64(bitPattern: size))
    case .composite(let parts):
      add(13 as UInt8)
      add(UInt64(parts.count))
      for (name, part) in parts.sorted(by: { $0.key < $1.key }) {
        add(name.utf8)
        add(part)
      }
    }
  }
}

extension RecordID {
  /// The record that an identity attribute names.
  public init(_ uuid: UUID) {
    let bytes = withUnsafeBytes(of: uuid.uuid) { Array($0) }
    func word(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(high: word(0..<8), low: word(8..<16))
  }
}
