internal import CZlib

/// The model in `Z_MODELCACHE`: a keyed archive, deflated without header (zlib's window of −15).
package enum ModelCache {
  /// Larger than any model's archive; a hostile file cannot exhaust memory.
  private static let limit = 64 << 20
  private static let windowBits: Int32 = -15

  package static func content(of model: NSManagedObjectModel) throws -> Data {
    try deflate(model.archivedData())
  }

  package static func model(from content: Data, file: String) throws -> NSManagedObjectModel {
    let archive = try inflate(content)
    do { return try NSManagedObjectModel(archivedData: archive, file: file) } catch {
      throw CoreDataError.make(
        .fileReadCorruptFile,
        reason: "The model cache (Z_MODELCACHE) of the store at \(file) holds no model.",
        underlying: error)
    }
  }

  /// The model that a store contains; nil if it contains none.
  static func model(in connection: SQLiteConnection, file: String) throws -> NSManagedObjectModel? {
    guard try StoreCatalog(connection).hasModelCache else { return nil }
    let content = try connection.withStatement("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1") {
      try $0.step() && $0.byteCount(0) <= limit ? $0.data(0) : nil
    }
    return try content.map { try model(from: $0, file: file) }
  }

  static func deflate(_ data: Data) throws -> Data {
    var stream = z_stream()
    let version = ZLIB_VERSION
    try check(
      deflateInit2_(
        &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, version,
        Int32(MemoryLayout<z_stream>.size)))
    defer { deflateEnd(&stream) }
    let bound = Int(deflateBound(&stream, UInt(data.count)))
    return try run(&stream, data: data, capacity: bound) { CZlib.deflate(&$0, Z_FINISH) }
  }

  static func inflate(_ data: Data) throws -> Data {
    var stream = z_stream()
    try check(
      inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)))
    defer { inflateEnd(&stream) }
    return try run(&stream, data: data, capacity: 1 << 16) { CZlib.inflate(&$0, Z_NO_FLUSH) }
  }

  /// Feeds all of `data` to zlib and collects the output.
  private static func run(
    _ stream: inout z_stream, data: Data, capacity: Int, step: (inout z_stream) -> Int32
  ) throws -> Data {
    var input = [UInt8](data)
    var output = Data()
    var buffer = [UInt8](repeating: 0, count: max(capacity, 64))
    try input.withUnsafeMutableBufferPointer { source in
      stream.next_in = source.baseAddress
      stream.avail_in = UInt32(source.count)
      var code = Z_OK
      while code != Z_STREAM_END {
        let (result, count) = buffer.withUnsafeMutableBufferPointer { target in
          stream.next_out = target.baseAddress
          stream.avail_out = UInt32(target.count)
          return (step(&stream), target.count - Int(stream.avail_out))
        }
        code = result
        output.append(contentsOf: buffer[..<count])
        guard code == Z_OK || code == Z_STREAM_END, count > 0 || code == Z_STREAM_END,
          output.count <= limit
        else { throw damaged }
      }
    }
    return output
  }

  private static func check(_ code: Int32) throws {
    if code != Z_OK { throw damaged }
  }

  private static var damaged: NSError {
    CoreDataError.make(
      .fileReadCorruptFile,
      reason: "The model cache (Z_MODELCACHE) is not a deflated archive of at most "
        + "\(limit >> 20) megabytes.")
  }
}
