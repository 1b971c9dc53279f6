/// The sections of a snapshot in their order.
///
/// Each section has a slot, a number that does not change when sections move. The snapshot keeps
/// the data of a section under its slot.
///
///     order:     slots by position       slotOf:    identifier → slot
///     positions: position by slot        identifiers: identifier by slot (nil: the slot is free)
///
/// Lookups are O(1). Inserting, moving and deleting renumber the positions, O(sections); appending
/// does not.
struct SectionOrder<Identifier: Hashable & Sendable>: Sendable {
  private(set) var order: [Int] = []
  private var positions: [Int] = []
  private var identifiersBySlot: [Identifier?] = []
  private var slotOf: [Identifier: Int] = [:]
  private var freeSlots: [Int] = []

  var count: Int { order.count }
  var slotCount: Int { positions.count }
  var identifiers: [Identifier] { order.compactMap { identifiersBySlot[$0] } }

  func slot(of identifier: Identifier) -> Int? { slotOf[identifier] }
  func identifier(ofSlot slot: Int) -> Identifier? { identifiersBySlot[slot] }
  func position(of identifier: Identifier) -> Int? { slotOf[identifier].map { positions[$0] } }

  mutating func insert(_ identifiers: [Identifier], at position: Int) {
    let isAppending = position == order.count
    let slots = identifiers.map { takeSlot(for: $0) }
    order.insert(contentsOf: slots, at: position)
    renumber(from: isAppending ? order.count - slots.count : position)
  }

  /// Removes the section and returns its slot, which later sections may reuse.
  mutating func remove(_ identifier: Identifier) -> Int? {
    guard let slot = slotOf.removeValue(forKey: identifier) else { return nil }
    let position = positions[slot]
    order.remove(at: position)
    identifiersBySlot[slot] = nil
    freeSlots.append(slot)
    renumber(from: position)
    return slot
  }

  /// Moves a section so that it comes before the one that is now at `position`.
  mutating func move(_ identifier: Identifier, to position: Int) {
    guard let slot = slotOf[identifier] else { return }
    let old = positions[slot]
    order.remove(at: old)
    order.insert(slot, at: old < position ? position - 1 : position)
    renumber(from: min(old, position))
  }

  private mutating func takeSlot(for identifier: Identifier) -> Int {
    let slot = freeSlots.popLast() ?? newSlot()
    identifiersBySlot[slot] = identifier
    slotOf[identifier] = slot
    return slot
  }

  private mutating func newSlot() -> Int {
    positions.append(0)
    identifiersBySlot.append(nil)
    return positions.count - 1
  }

  private mutating func renumber(from start: Int) {
    for position in start..<order.count {
      positions[order[position]] = position
    }
  }
}
