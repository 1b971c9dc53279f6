import Synchronization

/// Tells intervals of one name from each other.
///
/// Source: developer.apple.com/documentation/os/ossignpostid
public struct OSSignpostID: RawRepresentable, Hashable, Comparable, Sendable {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }

  /// For intervals that are never open twice at a time.
  public static let exclusive = OSSignpostID(0xEEEE_B0B5_B2B2_EEEE)
  public static let invalid = OSSignpostID(UInt64.max)
  public static let null = OSSignpostID(0)

  private static let last = Atomic<UInt64>(0)

  /// One that no other interval of the process has.
  public init(log: OSLog) {
    self.init(Self.last.wrappingAdd(1, ordering: .relaxed).newValue)
  }

  /// The one of an object, as long as it lives.
  public init(log: OSLog, object: AnyObject) {
    self.init(UInt64(UInt(bitPattern: ObjectIdentifier(object))))
  }

  public static func < (left: OSSignpostID, right: OSSignpostID) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// What a signpost marks.
public enum OSSignpostType: UInt8, Sendable {
  case event, begin, end
}
