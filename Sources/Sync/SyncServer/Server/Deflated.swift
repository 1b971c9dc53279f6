import CZlib
import Foundation

/// Compression of bodies, with a limit on what comes out.
enum Deflated {
  enum Form: Int32 {
    /// RFC 1951, as `Content-Encoding: deflate` of a request; and RFC 1952.
    case raw = -15
    case gzip = 31
  }

  struct Failure: Error {
    let isTooLong: Bool
  }

  static func deflate(_ data: Data, as form: Form) -> Data? {
    var stream = z_stream()
    guard
      deflateInit2_(
        &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, form.rawValue, 8, Z_DEFAULT_STRATEGY,
        ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(data.count))))
    var input = [UInt8](data)
    let isWhole = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
        (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
        return CZlib.deflate(&stream, Z_FINISH) == Z_STREAM_END
      }
    }
    return isWhole ? Data(output.prefix(Int(stream.total_out))) : nil
  }

  static func inflate(_ data: Data, as form: Form, most: Int) throws -> Data {
    var stream = z_stream()
    guard
      inflateInit2_(
        &stream, form.rawValue, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw Failure(isTooLong: false) }
    defer { inflateEnd(&stream) }
    var input = [UInt8](data)
    var result = Data()
    var step = [UInt8](repeating: 0, count: 1 << 16)
    return try input.withUnsafeMutableBufferPointer { input in
      (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
      while true {
        let (status, count) = step.withUnsafeMutableBufferPointer { step in
          (stream.next_out, stream.avail_out) = (step.baseAddress, UInt32(step.count))
          let status = CZlib.inflate(&stream, Z_NO_FLUSH)
          return (status, step.count - Int(stream.avail_out))
        }
        result.append(contentsOf: step.prefix(count))
        guard result.count <= most else { throw Failure(isTooLong: true) }
        if status == Z_STREAM_END { return result }
        guard status == Z_OK, count > 0 || stream.avail_in > 0 else {
          throw Failure(isTooLong: false)
        }
      }
    }
  }
}
