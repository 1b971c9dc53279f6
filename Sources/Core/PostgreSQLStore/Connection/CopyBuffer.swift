import CoreData

/// Buffer of the bytes that COPY sends to the server; see ``CopyStream``.
///
/// Raw memory with one capacity check per value; an array would check twice for each field.
struct CopyBuffer: ~Copyable {
  private var bytes: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    bytes = .allocate(byteCount: capacity, alignment: 8)
    self.capacity = capacity
  }

  deinit { bytes.deallocate() }

  mutating func removeAll() { count = 0 }

  func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
  {
    try body(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// Reserves space for `length` bytes and returns its address.
  @inline(__always)
  private mutating func room(_ length: Int) -> UnsafeMutableRawPointer {
    if count + length > capacity { grow(to: count + length) }
    defer { count += length }
    return bytes + count
  }

  @inline(never)
  private mutating func grow(to needed: Int) {
    let larger = max(needed, capacity * 2)
    let new = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 8)
    new.copyMemory(from: bytes, byteCount: count)
    bytes.deallocate()
    (bytes, capacity) = (new, larger)
  }

  // MARK: - Fields

  /// Appends a number, most significant byte first.
  @inline(__always)
  mutating func append(_ number: some FixedWidthInteger) {
    let place = room(number.bitWidth / 8)
    Swift.withUnsafeBytes(of: number.bigEndian) {
      place.copyMemory(from: $0.baseAddress!, byteCount: $0.count)
    }
  }

  mutating func append(_ content: UnsafeRawBufferPointer) {
    guard let start = content.baseAddress else { return }
    room(content.count).copyMemory(from: start, byteCount: content.count)
  }

  @inline(__always)
  mutating func append(field number: some FixedWidthInteger) {
    append(Int32(number.bitWidth / 8))
    append(number)
  }

  mutating func append(field content: UnsafeRawBufferPointer) {
    append(Int32(content.count))
    append(content)
  }

  mutating func appendNull() { append(-1 as Int32) }

  /// Appends a field of any type.
  mutating func append(field value: PostgreSQLParameter) {
    var content: [UInt8] = []
    guard value.append(to: &content) else { return appendNull() }
    content.withUnsafeBytes { append(field: $0) }
  }
}
