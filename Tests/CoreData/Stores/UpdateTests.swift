import Testing

@testable import CoreData
@testable import CoreDataSamples

/// What an update says of its slots, below and beyond those that have a bit.
@Suite struct UpdateTests {
  private static let lists: [[Int]] = [
    [], [0], [1], [63], [64], [0, 63], [0, 64], [63, 64, 130], [65, 66], [2, 3, 5, 64, 499],
  ]

  @Test func slotsAndRelationshipsAreWhatWasGiven() {
    let model = BatchModel.make()
    let row = Row.empty(.temporary(model.entities[0].layout))
    for (first, slots) in Self.lists.enumerated() {
      for relationships in [[], [0], [3, 70]] {
        let update = StoreChanges.Update(
          row: row, snapshot: row, slots: slots, relationships: relationships)
        #expect(update.slots == slots && update.relationships == relationships)
        for (second, others) in Self.lists.enumerated() {
          let other = StoreChanges.Update(row: row, snapshot: row, slots: others)
          #expect(update.hasSameSlots(as: other) == (first == second))
        }
      }
    }
  }
}
