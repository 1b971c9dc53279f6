extension UndoManager {
  /// Registers what undoes a change: `handler`, called with `target`.
  ///
  /// While undoing it is registered for redo; otherwise whatever could be redone is forgotten.
  /// Nothing is registered while registration is disabled. Outside every group, the group of the
  /// event is opened; with `groupsByEvent` off that is a programmer's error and traps.
  ///
  /// The handler and what it captures are retained; the target is not. On Apple's platforms a
  /// target that is gone crashes; here its actions are skipped. An action should not capture its
  /// target strongly: it would keep it alive.
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

  /// The label of the group that is open, for the setters of names and the like. With registration
  /// disabled and no group open there is nothing to label.
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

  /// In the middle of an undo operation the rest of it is forgotten too; what the running action
  /// still registers is collected as ever.
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
