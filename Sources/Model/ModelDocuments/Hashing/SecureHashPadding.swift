/// Padding and byte order of SHA-256 and SHA-512.
enum SecureHashPadding {
  static func pad(_ message: [UInt8], blockSize: Int, lengthSize: Int) -> [UInt8] {
    let least = message.count + 1 + lengthSize
    let size = (least + blockSize - 1) / blockSize * blockSize
    var padded = [UInt8](repeating: 0, count: size)
    let length = bytes(of: UInt64(message.count) * 8)
    padded.withUnsafeMutableBytes { room in
      room.copyBytes(from: message)
      room[message.count] = 0x80
      UnsafeMutableRawBufferPointer(rebasing: room[(size - 8)...]).copyBytes(from: length)
    }
    return padded
  }

  static func bytes<Word: FixedWidthInteger>(of word: Word) -> [UInt8] {
    withUnsafeBytes(of: word.bigEndian) { Array($0) }
  }
}
