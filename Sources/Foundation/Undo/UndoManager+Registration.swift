extension UndoManager {
  /// Registers the action that undoes a change: a call of `handler` with `target`.
  ///
  /// While undoing, the action is registered for redo; otherwise the redo stack is emptied. Does
  /// nothing while registration is disabled. Outside every group, opens the group of the event;
  /// with `groupsByEvent` off that is a programming error and traps.
  ///
  /// The manager retains the handler and its captures, but not the target. On Apple's platforms a
  /// deallocated target crashes; here its actions are skipped. A handler that captures the target
  /// strongly keeps it alive.
  ///
  /// Apple's `registerUndo(withTarget:selector:object:)` and `prepare(withInvocationTarget:)` need
  /// the Objective-C runtime and do not exist here: this method replaces both.
  public func registerUndo<TargetType: AnyObject>(
    withTarget target: TargetType, handler: @escaping (TargetType) -> Void
  ) {
    guard isUndoRegistrationEnabled else { return }
    guard let group = groupForRegistration() else {
      return trap(on: .noGroupToRegisterIn, in: "registerUndo(withTarget:handler:)")
    }
    if phase == .recording { redoStack.removeAll() }
    group.items.append(UndoAction(target: target, handler: handler))
  }

  /// Edits the label of the group for a registration; called by the setters of names and the like.
  /// Does nothing if registration is disabled and no group is open. Traps with `misuse` if there is
  /// no group and none may be opened.
  func editLabel(
    else misuse: UndoMisuse, in method: String, _ edit: (inout UndoGroupLabel) -> Void
  ) {
    if openGroups.isEmpty && !isUndoRegistrationEnabled { return }
    guard let group = groupForRegistration() else { return trap(on: misuse, in: method) }
    edit(&group.label)
  }

  func removeActions(of target: ObjectIdentifier) {
    undoStack.removeActions(of: target)
    redoStack.removeActions(of: target)
    performedGroup?.removeActions(of: target)
    suspendedGroups.first?.removeActions(of: target)
    openGroups.first?.removeActions(of: target)
  }

  /// Empties both stacks and closes all groups. During an undo or redo, drops the rest of the
  /// operation too; later registrations of the running action are still collected.
  func removeEverything() {
    undoStack.removeAll()
    redoStack.removeAll()
    performedGroup?.items.removeAll()
    suspendedGroups = []
    openGroups = []
    forgetEventGroup()
    if phase != .recording { collectInNewGroup(label: UndoGroupLabel()) }
  }
}
