import Foundation

/// What a property holds, as it travels.
public enum SyncValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  /// A decimal number as its digits, "-12.50".
  case decimal(String)
  case text(String)
  /// Seconds since the reference date of Foundation.
  case date(Double)
  case data(Data)
  case uuid(UUID)
  case url(String)
  /// The record at the other end of a to-one relationship.
  case reference(RecordID)
  /// The place in an ordered relationship: the list that it is meant for, and a key among its
  /// members.
  indirect case position(list: RecordID?, key: String)
  /// Bytes that travel apart: their SHA-256 and their number.
  indirect case blob(hash: Data, size: Int64)
  /// Attributes of a composite, by name.
  case composite([String: SyncValue])
}

/// The value of one property with the clock of whoever wrote it.
public struct Register: Hashable, Sendable {
  /// When it was written, and by whom.
  public var clock: Clock
  /// What the property holds.
  public var value: SyncValue

  /// Makes a value of its parts.
  public init(clock: Clock, value: SyncValue) {
    self.clock = clock
    self.value = value
  }
}

/// Whether a record has been deleted, and when that was said.
public struct Life: Hashable, Sendable {
  /// Whether the record is deleted.
  public var isDead: Bool
  /// When it was written, and by whom.
  public var clock: Clock

  /// Makes a value of its parts.
  public init(isDead: Bool, clock: Clock) {
    self.isDead = isDead
    self.clock = clock
  }
}

/// One increment of a counter, under a name of its own. It never changes.
public struct Fact: Hashable, Sendable {
  /// The name of the counter.
  public var property: String
  /// The name.
  public var name: RecordID
  /// What is added: `.integer`, `.double` or `.decimal`.
  public var amount: SyncValue

  /// Makes a value of its parts.
  public init(property: String, name: RecordID, amount: SyncValue) {
    self.property = property
    self.name = name
    self.amount = amount
  }
}
