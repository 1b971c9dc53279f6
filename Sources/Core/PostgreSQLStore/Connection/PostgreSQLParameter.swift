import CoreData

/// A parameter of a statement, in the server's binary format.
///
///     case          type              bytes
///     boolean       bool 16           1
///     integer       int8 20           8, big-endian
///     real          float8 701        8, the bit pattern, big-endian
///     timestamp     timestamptz 1184  8, microseconds since 2000-01-01 UTC
///     text          text 25           UTF-8
///     entity        int4 23           4
///     decimal       numeric 1700      see ``NumericDigits``
///     uuid          uuid 2950         16
///     data          bytea 17          as they are
///     integers      int8[] 1016       dimensions, flags, type, length, lower bound; then each
///                                     number with its length
enum PostgreSQLParameter {
  case null(PostgreSQLType)
  case boolean(Bool)
  case integer(Int64)
  /// The number of an entity.
  case entity(Int)
  case real(Double)
  case timestamp(Int64)
  case text(String)
  case decimal(NumericDigits)
  case uuid(UUID)
  case data(Data)
  case integers([Int64])
  /// A value as an SQL literal, which the server parses.
  case written(String, PostgreSQLType)

  var type: PostgreSQLType {
    switch self {
    case .null(let type): type
    case .boolean: .boolean
    case .integer: .bigint
    case .entity: .integer
    case .real: .double
    case .timestamp: .timestamp
    case .text: .text
    case .decimal: .numeric
    case .uuid: .uuid
    case .data: .bytes
    case .integers: .bigints
    case .written(_, let type): type
    }
  }

  /// The format code of the protocol: 1 for binary, 0 for text.
  var format: Int32 { if case .written = self { 0 } else { 1 } }

  /// Appends the bytes; returns false for nil.
  func append(to buffer: inout [UInt8]) -> Bool {
    switch self {
    case .null: return false
    case .boolean(let value): buffer.append(value ? 1 : 0)
    case .integer(let value), .timestamp(let value): buffer.appendHighestFirst(value)
    case .real(let value): buffer.appendHighestFirst(Int64(bitPattern: value.bitPattern))
    case .text(let value): buffer.append(contentsOf: value.utf8)
    case .written(let value, _):
      // A text parameter must end with NUL even though its length is given.
      buffer.append(contentsOf: value.utf8)
      buffer.append(0)
    case .entity(let value): buffer.appendHighestFirst(Int32(value))
    case .decimal(let value):
      buffer.appendHighestFirst(Int16(value.groups.count))
      buffer.appendHighestFirst(value.weight)
      buffer.appendHighestFirst(value.sign)
      buffer.appendHighestFirst(value.scale)
      for group in value.groups { buffer.appendHighestFirst(group) }
    case .uuid(let value):
      var bytes = value.uuid
      withUnsafeBytes(of: &bytes) { buffer.append(contentsOf: $0) }
    case .data(let value): buffer.append(contentsOf: value)
    case .integers(let values):
      let header: [Int32] = [values.isEmpty ? 0 : 1, 0, Int32(PostgreSQLType.bigint.rawValue)]
      for word in header { buffer.appendHighestFirst(word) }
      if values.isEmpty { break }
      buffer.appendHighestFirst(Int32(values.count))
      buffer.appendHighestFirst(1 as Int32)
      for value in values {
        buffer.appendHighestFirst(8 as Int32)
        buffer.appendHighestFirst(value)
      }
    }
    return true
  }
}

/// The object identifiers of the server's built-in types.
enum PostgreSQLType: UInt32 {
  case boolean = 16
  case bytes = 17
  case bigint = 20
  case integer = 23
  case text = 25
  case double = 701
  case texts = 1009
  case bigints = 1016
  case doubles = 1022
  case timestamp = 1184
  case timestamps = 1185
  case numerics = 1231
  case numeric = 1700
  case uuid = 2950
  case uuids = 2951
}

extension [UInt8] {
  /// Appends a number in big-endian order. Not named `append`, since integer literals would then be
  /// ambiguous.
  mutating func appendHighestFirst(_ value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }
}

extension PostgreSQLParameter {
  init(_ value: SQLValue) {
    switch value {
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    case .text(let value): self = .text(value)
    case .bytes(let value): self = .data(Data(value))
    case .data(let value): self = .data(value)
    case .written(let value, let type):
      self = PostgreSQLType(rawValue: type).map { .written(value, $0) } ?? .text(value)
    }
  }
}
