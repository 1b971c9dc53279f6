/// The number of nanoseconds in a second.
public let NSEC_PER_SEC: UInt64 = 1_000_000_000
/// The number of nanoseconds in a millisecond.
public let NSEC_PER_MSEC: UInt64 = 1_000_000
/// The number of nanoseconds in a microsecond.
public let NSEC_PER_USEC: UInt64 = 1000
/// The number of microseconds in a second.
public let USEC_PER_SEC: UInt64 = 1_000_000
/// The number of milliseconds in a second.
public let MSEC_PER_SEC: UInt64 = 1000

/// A duration in seconds.
public typealias CFTimeInterval = Double
/// A time in seconds since 2001-01-01 00:00 UTC.
public typealias CFAbsoluteTime = Double

/// The current time in seconds since 2001-01-01 00:00 UTC.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime {
  Date.timeIntervalSinceReferenceDate
}
