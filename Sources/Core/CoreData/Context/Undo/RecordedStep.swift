/// A step that the undo manager has, with what its deletions take along later: a save may find that
/// others have added members that the delete rules apply to.
///
/// The undo manager's action owns it; used on the context's queue.
final class RecordedStep {
  private(set) var changes: [UndoStep.Change]
  /// The number of steps that the context had recorded before this one.
  let number: Int

  init(_ changes: [UndoStep.Change], number: Int) {
    self.changes = changes
    self.number = number
  }

  /// Adds the changes of a later event, to be undone together with the step.
  func extend(by step: UndoStep) {
    for change in step.changes {
      if let index = changes.firstIndex(where: { $0.object === change.object }) {
        changes[index] = changes[index].followed(by: change)
      } else if change.before.isPresent || change.object.lifecycle.isPresent {
        changes.append(change)
      }
    }
  }

  /// Adds that the step's deletion has cleared a value that others had given to an object.
  func extend(byLossOf value: Value, in slot: Int, of object: NSManagedObject) {
    extend(
      by: UndoStep(changes: [
        UndoStep.Change(
          object: object, before: object.lifecycle, after: object.lifecycle, row: nil,
          slots: [UndoStep.SlotChange(slot: slot, before: value, after: .null)],
          memberChanges: [:], orders: [:], number: number)
      ]))
  }

  /// Adds that the step's deletion has taken a member from an object's relationship.
  func extend(byLossOf member: NSManagedObject, in index: Int, of object: NSManagedObject) {
    var delta = MemberDelta()
    delta.remove(member)
    var orders: [Int: UndoStep.OrderChange] = [:]
    if object.layout.relation(toMany: index).isOrdered {
      let members = object.memberObjects(index)
      orders[index] = .init(before: members, after: members.filter(\.lifecycle.isPresent))
    }
    extend(
      by: UndoStep(changes: [
        UndoStep.Change(
          object: object, before: object.lifecycle, after: object.lifecycle, row: nil, slots: [],
          memberChanges: [index: delta], orders: orders, number: number)
      ]))
  }
}

/// A recorded step for as long as the undo manager has it.
struct WeakStep {
  weak var step: RecordedStep?
}
