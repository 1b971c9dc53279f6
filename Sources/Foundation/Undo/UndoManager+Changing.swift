import Foundation

/// Undo and redo are one operation: perform a group backwards, and collect the actions registered
/// meanwhile as a single group on the other stack.
extension UndoManager {
  enum Phase {
    case recording
    case undoing
    case redoing
  }

  /// Removes and returns the group that `undo` or `undoNestedGroup` has to undo next.
  func takeGroupToUndo() -> UndoGroup? {
    guard let innermost = openGroups.last, !innermost.items.isEmpty else { return undoStack.pop() }
    return innermost.items.removeLast().group
  }

  func undo(_ group: UndoGroup) {
    change(
      .undoing, group: group, before: .NSUndoManagerWillUndoChange,
      after: .NSUndoManagerDidUndoChange)
  }

  func redo(_ group: UndoGroup) {
    change(
      .redoing, group: group, before: .NSUndoManagerWillRedoChange,
      after: .NSUndoManagerDidRedoChange)
  }

  private func change(
    _ phase: Phase, group: UndoGroup, before: NSNotification.Name, after: NSNotification.Name
  ) {
    operationCount += 1
    startCollecting(during: phase, label: Self.label(inheritedFrom: group))
    announce(before)
    perform(group)
    // Observers that hold changes back now register the counterparts of the undone actions.
    postCheckpoint()
    finishCollecting()
    announce(after)
    complete()
    scheduleEndOfEventIfNeeded()
  }

  /// Runs `body` when the operation in progress is over and announced.
  package func afterOperation(_ body: @escaping () -> Void) { completions.append(body) }

  private func complete() {
    let bodies = completions
    completions = []
    for body in bodies { body() }
  }

  private static func label(inheritedFrom group: UndoGroup) -> UndoGroupLabel {
    UndoGroupLabel(
      name: group.actionName, isDiscardable: group.isDiscardable ? true : nil,
      userInfo: group.label.userInfo)
  }

  private func startCollecting(during phase: Phase, label: UndoGroupLabel) {
    suspendedGroups = openGroups
    self.phase = phase
    openGroups = []
    collectInNewGroup(label: label)
  }

  /// Opens the group that collects counterparts. Posts no notification: the opening is part of the
  /// operation that `Will…Change` announces.
  func collectInNewGroup(label: UndoGroupLabel) {
    let group = UndoGroup()
    group.label = label
    group.isOpen = true
    openGroups = [group]
  }

  /// Performs the actions of a group, last first. Removes each action before it runs, so that its
  /// memory is free at once and an action can remove later ones.
  private func perform(_ group: UndoGroup) {
    performedGroup = group
    defer { performedGroup = nil }
    while let item = group.items.popLast() {
      if let nested = item.group {
        group.items.append(contentsOf: nested.items)
      } else {
        item.perform()
      }
    }
  }

  private func finishCollecting() {
    let collected = openGroups[0]
    let finished = phase
    openGroups.forEach { $0.isOpen = false }
    openGroups = suspendedGroups
    suspendedGroups = []
    phase = .recording
    if !collected.items.isEmpty { store(collected, of: finished) }
  }

  private func store(_ collected: UndoGroup, of phase: Phase) {
    if phase == .undoing {
      redoStack.push(collected)
    } else if let innermost = openGroups.last {
      innermost.items.append(collected)
    } else {
      undoStack.push(collected)
    }
  }

  private func announce(_ name: NSNotification.Name) {
    isAnnouncingChange = true
    defer { isAnnouncingChange = false }
    post(name)
  }
}
