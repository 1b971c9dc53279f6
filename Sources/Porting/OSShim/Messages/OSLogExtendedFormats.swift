import Foundation

/// The format of a truth value.
public enum OSLogBoolFormat: Sendable {
  /// `true` or `false`
  case truth
  /// `YES` or `NO`
  case answer

  func text(_ value: Bool) -> String {
    self == .truth ? "\(value)" : value ? "YES" : "NO"
  }
}

/// The meaning of a 32-bit number.
public enum OSLogInt32ExtendedFormat: Sendable {
  /// An IPv4 address in network byte order.
  case ipv4Address
  /// An error number; shown with its description.
  case darwinErrno
  /// The mode of a file: `-rw-r--r--`.
  case darwinMode
  /// A signal number; shown with its description.
  case darwinSignal
  /// A time in seconds since 1970-01-01 UTC; shown as ISO 8601.
  case secondsSince1970
  /// `true` or `false`
  case truth
  /// `YES` or `NO`
  case answer

  func text(_ value: Int32) -> String {
    switch self {
    case .ipv4Address:
      withUnsafeBytes(of: value) { $0.map { "\($0)" }.joined(separator: ".") }
    case .darwinErrno: "[\(value): \(String(cString: strerror(value)))]"
    case .darwinMode: FileMode.text(value)
    case .darwinSignal: "[signal: \(String(cString: strsignal(value)))]"
    case .secondsSince1970: SecondsSince1970.text(Int(value))
    case .truth: "\(value != 0)"
    case .answer: value != 0 ? "YES" : "NO"
    }
  }
}

/// The meaning of an integer.
public enum OSLogIntExtendedFormat: Sendable {
  /// A time in seconds since 1970-01-01 UTC; shown as ISO 8601.
  case secondsSince1970

  func text(_ value: Int) -> String { SecondsSince1970.text(value) }
}

/// The format of a pointer.
public enum OSLogPointerFormat: Sendable {
  /// The pointer's address.
  case none
  /// The IPv6 address of 16 bytes that the pointer refers to.
  case ipv6Address
  /// The UUID of 16 bytes that the pointer refers to.
  case uuid

  func text(_ pointer: UnsafeRawPointer) -> String {
    switch self {
    case .none: return "0x" + String(UInt(bitPattern: pointer), radix: 16)
    case .uuid: return UUID(uuid: pointer.loadUnaligned(as: uuid_t.self)).uuidString
    case .ipv6Address:
      var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
      inet_ntop(AF_INET6, pointer, &text, socklen_t(INET6_ADDRSTRLEN))
      return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
  }
}

enum SecondsSince1970 {
  static func text(_ seconds: Int) -> String {
    Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
  }
}

private enum FileMode {
  static func text(_ mode: Int32) -> String {
    let bits = zip("rwxrwxrwx", (0..<9).reversed()).map { letter, bit in
      mode & (1 << Int32(bit)) == 0 ? "-" : letter
    }
    return (mode & 0o170000 == 0o040000 ? "d" : "-") + String(bits)
  }
}
