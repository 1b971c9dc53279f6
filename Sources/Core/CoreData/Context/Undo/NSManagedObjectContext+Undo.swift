extension NSManagedObjectContext {
  /// Registers the changes of one event with the undo manager, as one action.
  final func registerUndo(_ step: UndoStep) {
    guard !step.changes.isEmpty, let undoManager, undoManager.isUndoRegistrationEnabled else {
      return
    }
    let changes = step.changes.filter { $0.before.isPresent || $0.object.lifecycle.isPresent }
    guard !changes.isEmpty else { return }
    // A manager without automatic groups and without an open group gets a group for this event: the
    // change must not be lost to undo, and must not trap.
    let needsGroup = undoManager.groupingLevel == 0 && !undoManager.groupsByEvent
    let recorded = RecordedStep(changes, number: undoStepCount)
    if needsGroup { undoManager.beginUndoGrouping() }
    undoManager.registerUndo(withTarget: self) { $0.goBack(to: recorded.changes) }
    if needsGroup { undoManager.endUndoGrouping() }
    undoStepCount += 1
    if changes.contains(where: \.isDeletion) { deletionSteps.append(WeakStep(step: recorded)) }
  }

  /// The recorded step that has deleted an object and is not saved yet; nil if its deletion is not
  /// recorded for undo.
  final func deletionStep(of object: NSManagedObject) -> RecordedStep? {
    deletionSteps.reversed().lazy.compactMap(\.step).first { step in
      step.changes.contains { $0.object === object && $0.isDeletion }
    }
  }

  /// Undoes the changes of a step that are still as the step has left them.
  ///
  /// The undo is itself an event, which the undo manager records for redo.
  private func goBack(to recorded: [UndoStep.Change]) {
    processPendingChanges()
    let changes = recorded.map { $0.on(current($0.object)) }
    var reversal = StepReversal(context: self)
    telling(changes.map(\.object)) { reversal.run(changes) }
    processPendingChanges()
    noteSkipped(reversal.skipped)
  }

  /// The instance that now represents a recorded object: an object deleted here may have come back
  /// from another context as another instance.
  final func current(_ object: NSManagedObject) -> NSManagedObject {
    if object.registry === registry { return object }
    return registry.object(object.packedIdentity) ?? object
  }

  // MARK: - Changes by others

  /// Whether there are undo or redo steps, which need to know of changes by others.
  final var hasUndoSteps: Bool { undoManager.map { $0.undoCount + $0.redoCount > 0 } ?? false }

  final func noteChangesElsewhere(_ rows: [Row]) {
    for row in rows { registry.object(row.packed).map(noteChangeElsewhere) }
  }

  final func noteChangeElsewhere(_ object: NSManagedObject) {
    object.madeRelations.changeElsewhere = undoStepCount
  }
}

extension NSManagedObject {
  /// Records that a newer row has replaced the values below edits of these slots.
  final func noteReplacedBases(_ old: Row, new: Row, below slots: [Int]) {
    guard let context = registry?.context, context.hasUndoSteps else { return }
    for slot in slots where new.differs(from: old, in: slot) {
      madeRelations.replacedBases.append(
        ReplacedBase(slot: slot, old: old[slot], new: new[slot], number: context.undoStepCount))
    }
  }

  /// The value that replaces `value`, which a step of this number would restore: newer rows may
  /// have replaced it since.
  final func valueInPlace(of value: Value, _ slot: Int, since number: Int) -> Value {
    guard let relations, !relations.replacedBases.isEmpty else { return value }
    return relations.replacedBases.reduce(value) { value, base in
      base.slot == slot && base.number > number && base.old == value ? base.new : value
    }
  }
}
