import Foundation

/// Discriminator by which the compiler distinguishes private types of one name: the MD5 (RFC 1321)
/// of the module's name followed by the file's.
enum FileFingerprint {
  static func of(_ file: String, inModule module: String) -> String {
    digest(Array((module + file).utf8)).map { hexadecimal($0) }.joined()
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }

  private static let shifts: [[UInt32]] = [
    [7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21],
  ]
  private static let sines = (1...64).map { UInt32(abs(sin(Double($0))) * 4_294_967_296) }

  private static func digest(_ text: [UInt8]) -> [UInt8] {
    let padding = (119 - text.count % 64) % 64
    let message =
      text + [0x80] + Array(repeating: 0, count: padding) + bytes(UInt64(text.count) * 8)
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
    for block in stride(from: 0, to: message.count, by: 64) {
      let words = (0..<16).map { word in
        (0..<4).reduce(UInt32(0)) { $0 | UInt32(message[block + word * 4 + $1]) << ($1 * 8) }
      }
      state = zip(state, mixed(state, words)).map { $0 &+ $1 }
    }
    return state.flatMap(bytes)
  }

  private static func mixed(_ state: [UInt32], _ words: [UInt32]) -> [UInt32] {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for step in 0..<64 {
      let (mix, word): (UInt32, Int) =
        switch step / 16 {
        case 0: ((b & c) | (~b & d), step)
        case 1: ((d & b) | (~d & c), (5 * step + 1) % 16)
        case 2: (b ^ c ^ d, (3 * step + 5) % 16)
        default: (c ^ (b | ~d), 7 * step % 16)
        }
      let sum = a &+ mix &+ sines[step] &+ words[word]
      let shift = shifts[step / 16][step % 4]
      (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
    }
    return [a, b, c, d]
  }

  private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
