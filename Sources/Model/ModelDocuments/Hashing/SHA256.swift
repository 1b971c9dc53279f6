/// SHA-256 as defined by FIPS 180-4.
///
/// Implemented here because Linux has no CryptoKit, and its usual replacement depends on the
/// cryptography of a whole TLS library: too heavy for hashing a few kilobytes when a model loads.
/// No secret depends on it; the hashes identify versions of models.
package struct SHA256Digest {
  private static let initial: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
    0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]

  private static let keys: [UInt32] = SecureHashConstants.keys.prefix(64).map {
    UInt32(truncatingIfNeeded: $0 >> 32)
  }

  /// The hash of a message, 32 bytes.
  package static func hash(_ message: [UInt8]) -> [UInt8] {
    let padded = SecureHashPadding.pad(message, blockSize: 64, lengthSize: 8)
    var state = initial
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
      keys.withUnsafeBufferPointer { keys in
        padded.withUnsafeBufferPointer { bytes in
          state.withUnsafeMutableBufferPointer { state in
            // Pointers keep this fast in builds without optimisation, as tools and tests are. All
            // four buffers are valid within these closures and have at least 64 elements.
            guard let words = schedule.baseAddress, let keys = keys.baseAddress,
              let bytes = bytes.baseAddress, let state = state.baseAddress
            else { return }
            for start in stride(from: 0, to: padded.count, by: 64) {
              expand(bytes + start, into: words)
              absorb(words, keys: keys, into: state)
            }
          }
        }
      }
    }
    for index in state.indices { state[index] = state[index].bigEndian }
    return state.withUnsafeBytes { Array($0) }
  }

  /// Expands a block to the 64 words of its message schedule.
  private static func expand(
    _ block: UnsafePointer<UInt8>, into words: UnsafeMutablePointer<UInt32>
  ) {
    var index = 0
    while index < 16 {
      let byte = block + index &* 4
      words[index] =
        UInt32(byte[0]) &<< 24 | UInt32(byte[1]) &<< 16 | UInt32(byte[2]) &<< 8 | UInt32(byte[3])
      index &+= 1
    }
    while index < 64 {
      let early = words[index &- 15]
      let late = words[index &- 2]
      let low = (early &>> 7 | early &<< 25) ^ (early &>> 18 | early &<< 14) ^ early &>> 3
      let high = (late &>> 17 | late &<< 15) ^ (late &>> 19 | late &<< 13) ^ late &>> 10
      words[index] = words[index &- 16] &+ low &+ words[index &- 7] &+ high
      index &+= 1
    }
  }

  private static func absorb(
    _ words: UnsafePointer<UInt32>, keys: UnsafePointer<UInt32>,
    into state: UnsafeMutablePointer<UInt32>
  ) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    var round = 0
    while round < 64 {
      let mixed = (e &>> 6 | e &<< 26) ^ (e &>> 11 | e &<< 21) ^ (e &>> 25 | e &<< 7)
      let choice = (e & f) ^ (~e & g)
      let first = h &+ mixed &+ choice &+ keys[round] &+ words[round]
      let turned = (a &>> 2 | a &<< 30) ^ (a &>> 13 | a &<< 19) ^ (a &>> 22 | a &<< 10)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      h = g
      g = f
      f = e
      e = d &+ first
      d = c
      c = b
      b = a
      a = first &+ turned &+ majority
      round &+= 1
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
    state[4] &+= e
    state[5] &+= f
    state[6] &+= g
    state[7] &+= h
  }
}
