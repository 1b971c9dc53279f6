/// What both secure hashes share: padding and the order of bytes.
enum SecureHashPadding {
  static func pad(_ message: [UInt8], blockSize: Int, lengthSize: Int) -> [UInt8] {
    let used = (message.count + 1 + lengthSize) % blockSize
    let zeros = (used == 0 ? 0 : blockSize - used) + lengthSize - 8
    var padded = message
    padded.reserveCapacity(message.count + 1 + zeros + 8)
    padded.append(0x80)
    padded.append(contentsOf: repeatElement(0, count: zeros))
    return padded + bytes(of: UInt64(message.count) * 8)
  }

  static func bytes<Word: FixedWidthInteger>(of word: Word) -> [UInt8] {
    withUnsafeBytes(of: word.bigEndian) { Array($0) }
  }
}
