import Foundation

/// Records how to undo changes, in groups; undoes and redoes them.
///
/// An action is a closure that is registered when something changes. When it runs, it registers the
/// opposite action in turn, so undo and redo feed each other. Actions are collected in groups that
/// are undone as one; groups nest.
///
/// With `groupsByEvent`, the default, the first registration of an event opens a top-level group
/// that closes at the end of the event. The event ends by itself on the main queue and on threads
/// that run their run loop; elsewhere it ends when `undo()` or `endEvent()` is called.
///
/// An undo manager belongs to one thread or queue, that of the objects it serves; it is not
/// Sendable. Misuse for which Apple raises `NSInternalInconsistencyException` traps here with the
/// same text. `prepare(withInvocationTarget:)` and `registerUndo(withTarget:selector:object:)` need
/// the Objective-C runtime and do not exist: use `registerUndo(withTarget:handler:)`.
///
/// Follows https://developer.apple.com/documentation/foundation/undomanager
open class UndoManager: NSObject {
  var undoStack = UndoGroupStack()
  var redoStack = UndoGroupStack()
  /// Outermost first. While undoing or redoing, the first one collects the counterparts.
  var openGroups: [UndoGroup] = []
  /// The groups that were open when the current undo or redo operation began.
  var suspendedGroups: [UndoGroup] = []
  /// The rest of the group that is being undone or redone.
  var performedGroup: UndoGroup?
  /// The open group of the current event; always at the top level.
  var eventGroup: UndoGroup?
  /// The number of the scheduled end that may close the event's group; earlier ones do nothing.
  var scheduledEnd: Int?
  var eventCount = 0
  var disableCount = 0
  var phase = Phase.recording
  /// The number of undo and redo operations begun so far.
  package internal(set) var operationCount = 0
  /// Closures to run when the operation in progress is over and announced.
  var completions: [() -> Void] = []
  var isPostingCheckpoint = false
  var isAnnouncingChange = false

  // MARK: Groups

  /// Whether registrations outside a group are grouped by event. True by default.
  ///
  /// With it off, every change must be registered between `beginUndoGrouping()` and
  /// `endUndoGrouping()`.
  open var groupsByEvent = true

  /// The run loop modes in which an event can end; `[.default]` at first.
  open var runLoopModes: [RunLoop.Mode] = [.default]

  /// The number of open groups. 0 while the notifications before and after an undo or redo
  /// operation are posted.
  open var groupingLevel: Int { isAnnouncingChange ? 0 : openGroups.count }

  /// Opens a group inside the innermost open one.
  ///
  /// At level 0 with `groupsByEvent`, opens the group of the event around it, so that the level is
  /// then 2. Posts `NSUndoManagerCheckpoint` unless it opens a top-level group, and
  /// `NSUndoManagerDidOpenUndoGroup`.
  open func beginUndoGrouping() {
    begin()
  }

  /// Closes the innermost group. The group can be undone even if it is empty. Traps if none is
  /// open.
  ///
  /// Posts `NSUndoManagerCheckpoint` and `NSUndoManagerWillCloseUndoGroup` before,
  /// `NSUndoManagerDidCloseUndoGroup` after.
  open func endUndoGrouping() {
    trap(on: misuseOfEnd, in: "endUndoGrouping")
    closeInnermostGroup()
  }

  /// The maximum number of top-level groups; 0, the default, for no limit. Lowering it drops the
  /// oldest groups at once.
  open var levelsOfUndo: Int {
    get { undoStack.limit }
    set {
      undoStack.limit = newValue
      redoStack.limit = newValue
    }
  }

  // MARK: Registration

  /// Disables registration until `enableUndoRegistration()` has been called equally often.
  open func disableUndoRegistration() {
    disableCount += 1
  }

  /// Reverts one `disableUndoRegistration()`. Traps if registration is enabled.
  open func enableUndoRegistration() {
    trap(on: misuseOfEnable, in: "enableUndoRegistration")
    disableCount -= 1
  }

  /// Whether registrations are recorded. True initially.
  open var isUndoRegistrationEnabled: Bool { disableCount == 0 }

  /// Removes all actions, closes all groups and enables registration again.
  open func removeAllActions() {
    removeEverything()
    disableCount = 0
  }

  /// Removes the actions of the target, and the groups that become empty. Does not enable
  /// registration. O(n) in the number of actions.
  open func removeAllActions(withTarget target: Any) {
    removeActions(of: ObjectIdentifier(target as AnyObject))
  }

  // MARK: Undoing

  /// Undoes the last top-level group, after closing it if it is open. Does nothing if there is
  /// none.
  ///
  /// Traps if more than one group is open, and while undoing or redoing. Posts
  /// `NSUndoManagerCheckpoint` and `NSUndoManagerWillUndoChange` before,
  /// `NSUndoManagerDidUndoChange` after.
  open func undo() {
    trap(on: misuseOfUndo, in: "undo")
    postCheckpoint()
    if openGroups.count == 1 { closeInnermostGroup() }
    if let group = takeGroupToUndo() { undo(group) }
  }

  /// Undoes the last closed group, nested or not, and records it as one group to redo.
  ///
  /// The group of the event may be open around it. Traps while undoing or redoing, and if the last
  /// entry of the open group is not a group. Posts as `undo()` does.
  open func undoNestedGroup() {
    trap(on: misuseWhileChanging, in: "undoNestedGroup")
    postCheckpoint()
    trap(on: misuseOfUndoNestedGroup, in: "undoNestedGroup")
    if let group = takeGroupToUndo() { undo(group) }
  }

  /// Redoes the last undone group, and records it as one group to undo, in the open group if there
  /// is one. Does nothing if there is nothing to redo.
  ///
  /// Traps while undoing or redoing. Posts `NSUndoManagerCheckpoint` and
  /// `NSUndoManagerWillRedoChange` before, `NSUndoManagerDidRedoChange` after.
  open func redo() {
    trap(on: misuseWhileChanging, in: "redo")
    postCheckpoint()
    if let group = redoStack.pop() { redo(group) }
  }

  /// Whether there is something to undo, including in the open group. A closed empty group counts.
  open var canUndo: Bool { undoCount > 0 }

  /// Whether there is something to redo. Posts `NSUndoManagerCheckpoint` first.
  open var canRedo: Bool {
    postCheckpoint()
    return redoCount > 0
  }

  /// The number of times that `undo()` can be called until nothing is left to undo.
  open var undoCount: Int { undoStack.count + (pendingToUndo == nil ? 0 : 1) }

  /// The number of times that `redo()` can be called until nothing is left to redo.
  open var redoCount: Int { redoStack.count }

  /// Whether an undo operation is in progress.
  open var isUndoing: Bool { phase == .undoing }

  /// Whether a redo operation is in progress.
  open var isRedoing: Bool { phase == .redoing }

  // MARK: Names

  /// Names the open group for the menu: "Delete" gives "Undo Delete". An empty name removes it.
  ///
  /// Opens the group of the event, as a registration does. An undone group keeps its name for redo
  /// unless an action sets another. Traps outside a group with `groupsByEvent` off.
  open func setActionName(_ actionName: String) {
    editLabel(else: .noGroupToRegisterIn, in: "setActionName") { $0.name = actionName }
  }

  /// The action name of the group that `undo()` would undo; empty if there is no name or no group.
  open var undoActionName: String { nextToUndo?.actionName ?? "" }

  /// The action name of the group that `redo()` would redo; empty if there is no name or no group.
  open var redoActionName: String { redoStack.last?.actionName ?? "" }

  /// The title of an undo menu item: "Undo", followed by the action name if there is one.
  open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

  /// The title of a redo menu item: "Redo", followed by the action name if there is one.
  open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

  /// "Undo" followed by the name, in English; a subclass may translate it.
  open func undoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Undo" : "Undo \(actionName)"
  }

  /// "Redo" followed by the name, in English; a subclass may translate it.
  open func redoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Redo" : "Redo \(actionName)"
  }

  // MARK: Discardable groups and user info

  /// Sets whether the open group may be lost when a document cannot be saved (a change of the
  /// selection, say). Traps outside a group with `groupsByEvent` off.
  open func setActionIsDiscardable(_ discardable: Bool) {
    editLabel(else: .noGroupToMarkDiscardable, in: "setActionIsDiscardable") {
      $0.isDiscardable = discardable
    }
  }

  /// Whether the group that `undo()` would undo is discardable; false if there is none.
  open var undoActionIsDiscardable: Bool { nextToUndo?.isDiscardable ?? false }

  /// Whether the group that `redo()` would redo is discardable; false if there is none.
  open var redoActionIsDiscardable: Bool { redoStack.last?.isDiscardable ?? false }

  /// Keeps a value of the client with the open group; nil removes it. Traps outside a group with
  /// `groupsByEvent` off.
  open func setActionUserInfoValue(_ info: Any?, forKey key: UserInfoKey) {
    editLabel(else: .noGroupToRegisterIn, in: "setActionUserInfoValue") {
      $0.userInfo = $0.userInfo ?? [:]
      $0.userInfo?[key] = info
    }
  }

  /// The value kept with the group that `undo()` would undo, or with a group nested in it; nil if
  /// there is none.
  open func undoActionUserInfoValue(forKey key: UserInfoKey) -> Any? {
    nextToUndo?.userInfoValue(for: key)
  }

  /// The value kept with the group that `redo()` would redo, or with a group nested in it; nil if
  /// there is none.
  open func redoActionUserInfoValue(forKey key: UserInfoKey) -> Any? {
    redoStack.last?.userInfoValue(for: key)
  }
}
