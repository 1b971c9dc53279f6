/// SHA-512 as defined by FIPS 180-4; the reason for it is at `SHA256Digest`.
package struct SHA512Digest {
  private var state: [UInt64] = [
    0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
  ]

  /// The hash of a message, 64 bytes.
  package static func hash(_ message: [UInt8]) -> [UInt8] {
    var digest = SHA512Digest()
    let padded = SecureHashPadding.pad(message, blockSize: 128, lengthSize: 16)
    for start in stride(from: 0, to: padded.count, by: 128) {
      digest.absorb(padded[start..<start + 128])
    }
    return digest.state.flatMap { SecureHashPadding.bytes(of: $0) }
  }

  private mutating func absorb(_ block: ArraySlice<UInt8>) {
    let words = Self.schedule(block)
    var row = state
    for round in 0..<80 {
      let first = Self.mixed(row, key: SecureHashConstants.keys[round], word: words[round])
      let second = Self.rotated(row[0], a: 28, b: 34, c: 39) &+ Self.majority(row)
      row = [
        first &+ second, row[0], row[1], row[2], row[3] &+ first, row[4], row[5], row[6],
      ]
    }
    for index in 0..<8 { state[index] &+= row[index] }
  }

  private static func schedule(_ block: ArraySlice<UInt8>) -> [UInt64] {
    var words = wordsOfBlock(block)
    for index in 16..<80 {
      let early = words[index - 15]
      let late = words[index - 2]
      let low = early.rotated(1) ^ early.rotated(8) ^ (early >> 7)
      let high = late.rotated(19) ^ late.rotated(61) ^ (late >> 6)
      words.append(words[index - 16] &+ low &+ words[index - 7] &+ high)
    }
    return words
  }

  private static func wordsOfBlock(_ block: ArraySlice<UInt8>) -> [UInt64] {
    (0..<16).map { index in
      let start = block.startIndex + index * 8
      return block[start..<start + 8].reduce(0) { ($0 << 8) | UInt64($1) }
    }
  }

  private static func mixed(_ row: [UInt64], key: UInt64, word: UInt64) -> UInt64 {
    let choice = (row[4] & row[5]) ^ (~row[4] & row[6])
    return row[7] &+ rotated(row[4], a: 14, b: 18, c: 41) &+ choice &+ key &+ word
  }

  private static func majority(_ row: [UInt64]) -> UInt64 {
    (row[0] & row[1]) ^ (row[0] & row[2]) ^ (row[1] & row[2])
  }

  private static func rotated(_ word: UInt64, a: UInt64, b: UInt64, c: UInt64) -> UInt64 {
    word.rotated(a) ^ word.rotated(b) ^ word.rotated(c)
  }
}

extension FixedWidthInteger {
  fileprivate func rotated(_ count: Self) -> Self {
    (self >> count) | (self << (Self(Self.bitWidth) - count))
  }
}
