extension RecordID {
  /// The record of a name that an application has given: MurmurHash3 (x64, 128 bits) of the
  /// entity's name, a zero and the name, in UTF-8. The function never changes: devices with
  /// different versions of sync must agree.
  init(named name: String, entity: String) {
    let bytes = Array(entity.utf8) + [0] + Array(name.utf8)
    var (one, other): (UInt64, UInt64) = (0, 0)
    var at = 0
    while at + 16 <= bytes.count {
      one ^= Self.first(Self.word(bytes, from: at, count: 8))
      one = (Self.rotated(one, by: 27) &+ other) &* 5 &+ 0x52dc_e729
      other ^= Self.second(Self.word(bytes, from: at + 8, count: 8))
      other = (Self.rotated(other, by: 31) &+ one) &* 5 &+ 0x3849_5ab5
      at += 16
    }
    let rest = bytes.count - at
    if rest > 8 { other ^= Self.second(Self.word(bytes, from: at + 8, count: rest - 8)) }
    if rest > 0 { one ^= Self.first(Self.word(bytes, from: at, count: min(8, rest))) }
    one ^= UInt64(bytes.count)
    other ^= UInt64(bytes.count)
    one &+= other
    other &+= one
    (one, other) = (Self.mixed(one), Self.mixed(other))
    one &+= other
    other &+= one
    self.init(high: one, low: other)
  }

  /// Little-endian, whatever the machine.
  private static func word(_ bytes: [UInt8], from start: Int, count: Int) -> UInt64 {
    (0..<count).reduce(0) { $0 | UInt64(bytes[start + $1]) << UInt64(8 * $1) }
  }

  private static func rotated(_ word: UInt64, by bits: UInt64) -> UInt64 {
    word << bits | word >> (64 - bits)
  }

  private static func first(_ word: UInt64) -> UInt64 {
    rotated(word &* 0x87c3_7b91_1142_53d5, by: 31) &* 0x4cf5_ad43_2745_937f
  }

  private static func second(_ word: UInt64) -> UInt64 {
    rotated(word &* 0x4cf5_ad43_2745_937f, by: 33) &* 0x87c3_7b91_1142_53d5
  }

  private static func mixed(_ word: UInt64) -> UInt64 {
    var word = (word ^ word >> 33) &* 0xff51_afd7_ed55_8ccd
    word = (word ^ word >> 33) &* 0xc4ce_b9fe_1a85_ec53
    return word ^ word >> 33
  }
}
