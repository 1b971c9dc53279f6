import Foundation

/// A buffer for a file descriptor, written in pieces of 64 KB. All commands write to the standard
/// output through it. Not thread-safe.
package final class ByteWriter {
  private static let capacity = 1 << 16
  private let descriptor: Int32?
  /// Unchecked exclusivity is sound: one thread uses the writer, and writes do not nest. The check
  /// took a sixth of a query's time.
  @exclusivity(unchecked) private var bytes: [UInt8] = []

  /// Makes a writer. Without a descriptor the bytes are kept; see ``collected``.
  package init(descriptor: Int32? = STDOUT_FILENO) {
    self.descriptor = descriptor
    bytes.reserveCapacity(Self.capacity + 4096)
  }

  /// The text written without a descriptor.
  package var collected: String { String(decoding: bytes, as: UTF8.self) }

  @inline(__always)
  package func write(byte: UInt8) { bytes.append(byte) }

  package func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  package func write(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  package func write(_ buffer: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: buffer) }

  package func write(_ buffer: Slice<UnsafeBufferPointer<UInt8>>) {
    bytes.append(contentsOf: buffer)
  }

  package func write(_ value: Int64) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    write(digitsOf: value.magnitude)
  }

  private func write(digitsOf value: UInt64) {
    if value >= 10 { write(digitsOf: value / 10) }
    bytes.append(UInt8(ascii: "0") + UInt8(value % 10))
  }

  /// Writes a number with leading zeros.
  package func write(_ value: Int, digits: Int) {
    var power = 1
    for _ in 1..<digits { power *= 10 }
    while power > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(value / power % 10))
      power /= 10
    }
  }

  /// Ends a row: flushes the buffer if it is full.
  @inline(__always)
  package func endRow() throws {
    if bytes.count >= Self.capacity { try flush() }
  }

  package func flush() throws {
    guard let descriptor, !bytes.isEmpty else { return }
    try bytes.withUnsafeBytes { all in
      var rest = all[...]
      while !rest.isEmpty {
        let count = Foundation.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count > 0 {
          rest = rest[(rest.startIndex + count)...]
        } else if errno != EINTR {
          throw ToolError(
            .inputOutput,
            description: "The output cannot be written: \(String(cString: strerror(errno))).")
        }
      }
    }
    bytes.removeAll(keepingCapacity: true)
  }
}
