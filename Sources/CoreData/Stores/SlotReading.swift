/// A store that reads single slots of a row without making the row.
package protocol SlotReading: RowStore {
  /// Runs `body` with a reader of these slots of an entity's objects, those of subentities included.
  /// All that it reads is of one moment. `body` must ask nothing else of the store.
  func withSlotReader<Result>(
    _ slots: [Int], of layout: EntityLayout, _ body: (any SlotReader) throws -> Result
  ) throws -> Result

  /// Calls `body` with the key and the number in a slot of every row of an entity's tree, whose number is not NULL, all of
  /// one moment, until it returns false. Does nothing for a slot that holds no numbers, nor where nobody else could read meanwhile.
  func eachNumber(
    inSlot slot: Int, of layout: EntityLayout, _ body: (_ key: Int64, _ number: PlainNumber) -> Bool
  ) throws
}

/// What is compared as it is.
package enum PlainNumber {
  case integer(Int64)
  case real(Double)
}

/// Reads the slots that it was made for. Used by one thread, and not after the call that made it.
package protocol SlotReader {
  /// The values, in the order of the slots; nil when the object is gone.
  func values(key: Int64) throws -> [Value]?
  /// The value of the first slot; nil when the object is gone.
  func value(key: Int64) throws -> Value?
}
