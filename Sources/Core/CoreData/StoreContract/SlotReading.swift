/// A store that reads single slots without making rows.
package protocol SlotReading: RowStore, Sendable {
  /// Runs `body` with a reader of these slots of an entity's objects, subentities included. The
  /// reader sees the store as of one moment. `body` must not use the store otherwise.
  func withSlotReader<Result>(
    _ slots: [Int], of layout: EntityLayout, body: (any SlotReader) throws -> Result
  ) throws -> Result

  /// Calls `body` with the key and the number in a slot of every row of an entity's tree, as of one
  /// moment, until it returns false. Rows with NULL are skipped. Does nothing for a slot without
  /// numbers, nor in a store with a single connection, where no other thread could read meanwhile.
  func eachNumber(
    inSlot slot: Int, of layout: EntityLayout, _ body: (_ key: Int64, _ number: PlainNumber) -> Bool
  ) throws
}

/// A number as it is stored, which compares without conversion.
package enum PlainNumber {
  case integer(Int64)
  case real(Double)
}

/// A reader of certain slots. Used by one thread, and only within the call that made it.
package protocol SlotReader {
  /// The values in the order of the slots; nil if the object is gone.
  func values(key: Int64) throws -> [Value]?
  /// The value of the first slot; nil if the object is gone.
  func value(key: Int64) throws -> Value?
}
