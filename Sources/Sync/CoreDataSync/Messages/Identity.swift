/// The name of a record: 16 bytes that no other record ever has, on any device.
///
/// Where an entity names an attribute as its identity, the name is that attribute's UUID.
public struct RecordID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The first eight bytes.
  public let high: UInt64
  /// The last eight bytes.
  public let low: UInt64

  /// Makes a value of its parts.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A new name at random.
  public static func random(using generator: inout some RandomNumberGenerator) -> RecordID {
    RecordID(high: generator.next(), low: generator.next())
  }

  public static func < (one: RecordID, other: RecordID) -> Bool {
    (one.high, one.low) < (other.high, other.low)
  }

  /// 32 hexadecimal digits.
  public var description: String {
    [high, low].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

/// The name of one copy of a store that writes: at random, new after every fork.
public struct ReplicaID: Hashable, Comparable, Sendable {
  /// The number at random.
  public let number: UInt64

  /// Makes a value of its parts.
  public init(_ number: UInt64) { self.number = number }

  /// The server's own, for what it decides.
  public static let server = ReplicaID(.max)

  public static func < (one: ReplicaID, other: ReplicaID) -> Bool { one.number < other.number }
}

/// A hybrid clock: milliseconds since 1970 in the upper 48 bits, a counter in the lower 16, and who
/// wrote it.
public struct Clock: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970 in the upper 48 bits, a counter in the lower 16.
  public var ticks: UInt64
  /// Who wrote it.
  public var replica: ReplicaID

  /// Makes a value of its parts.
  public init(ticks: UInt64, replica: ReplicaID) {
    self.ticks = ticks
    self.replica = replica
  }

  /// Before every clock that anybody writes.
  public static let never = Clock(ticks: 0, replica: ReplicaID(0))

  public static func < (one: Clock, other: Clock) -> Bool {
    (one.ticks, one.replica) < (other.ticks, other.replica)
  }
}
