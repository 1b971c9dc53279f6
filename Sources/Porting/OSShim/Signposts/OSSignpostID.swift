import Synchronization

/// Identifier that distinguishes intervals of one name.
///
/// Source: developer.apple.com/documentation/os/ossignpostid
public struct OSSignpostID: RawRepresentable, Hashable, Comparable, Sendable {
  /// The identifier's number.
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// Creates an identifier from its number.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }

  /// For intervals that never overlap with another of their name.
  public static let exclusive = OSSignpostID(0xEEEE_B0B5_B2B2_EEEE)
  /// An invalid identifier: signposts with it are discarded.
  public static let invalid = OSSignpostID(UInt64.max)
  /// The null identifier: signposts with it are discarded.
  public static let null = OSSignpostID(0)

  private static let last = Atomic<UInt64>(0)

  /// Creates an identifier that is unique within the process.
  public init(log: OSLog) {
    self.init(Self.last.wrappingAdd(1, ordering: .relaxed).newValue)
  }

  /// Creates the identifier of an object, which is unique as long as the object lives.
  public init(log: OSLog, object: AnyObject) {
    self.init(UInt64(UInt(bitPattern: ObjectIdentifier(object))))
  }

  public static func < (left: OSSignpostID, right: OSSignpostID) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The kind of a signpost.
public enum OSSignpostType: UInt8, Sendable {
  /// A single event, or the begin or the end of an interval.
  case event, begin, end
}
