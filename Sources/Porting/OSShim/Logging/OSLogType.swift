/// The severity of a message.
///
/// Source: developer.apple.com/documentation/os/oslogtype
public struct OSLogType: RawRepresentable, Hashable, Sendable {
  /// The number of the type, as on Apple's systems.
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Creates a type from its number.
  public init(_ rawValue: UInt8) { self.rawValue = rawValue }

  /// The default type; written as `notice`.
  public static let `default` = OSLogType(0x00)
  /// Information that helps, but is not essential.
  public static let info = OSLogType(0x01)
  /// Information for debugging.
  public static let debug = OSLogType(0x02)
  /// An error within the process.
  public static let error = OSLogType(0x10)
  /// A fault of the system or of several processes.
  public static let fault = OSLogType(0x11)
}
