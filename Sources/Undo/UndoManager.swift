import Foundation

/// Records how to take changes back, in groups, and takes them back and does them again.
///
/// An action is a closure that is registered when something changes. When it is carried out, it
/// registers the opposite action in turn, and so undo and redo feed each other. Actions are
/// collected in groups that are undone as one; groups nest.
///
/// With `groupsByEvent`, the default, the first registration of an event opens a top-level group
/// that is closed at the event's end: on the main queue and on threads in their run loop by itself,
/// elsewhere when `undo()` or `endEvent()` is called.
///
/// An undo manager belongs to one thread or queue, the one of the objects that it serves; it is not
/// Sendable. What Apple raises as `NSInternalInconsistencyException` traps here with the same text.
/// `prepare(withInvocationTarget:)` and `registerUndo(withTarget:selector:object:)` need the
/// Objective-C runtime and do not exist: use `registerUndo(withTarget:handler:)`.
///
/// Follows https://developer.apple.com/documentation/foundation/undomanager
open class UndoManager: NSObject {
  var undoStack = UndoGroupStack()
  var redoStack = UndoGroupStack()
  /// Outermost first. While undoing or redoing, the first is the one that collects.
  var openGroups: [UndoGroup] = []
  /// The groups that were open when the undo or redo operation under way began.
  var suspendedGroups: [UndoGroup] = []
  /// What is left of the group being undone or redone.
  var performedGroup: UndoGroup?
  /// The open group of the current event: always at the top level.
  var eventGroup: UndoGroup?
  /// The number of the scheduled end that may close the event's group; older ones are void.
  var scheduledEnd: Int?
  var eventCount = 0
  var disableCount = 0
  var phase = Phase.recording
  /// How many undo and redo operations have begun.
  package internal(set) var operationCount = 0
  /// What is to be done when the one under way is over and announced.
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

  /// How many groups are open. 0 while the notifications before and after an undo or redo operation
  /// are posted.
  open var groupingLevel: Int { isAnnouncingChange ? 0 : openGroups.count }

  /// Opens a group inside the one that is open.
  ///
  /// At level 0 with `groupsByEvent`, the group of the event is opened around it, so the level is 2
  /// then. Posts `NSUndoManagerCheckpoint` unless a top-level group is opened, and
  /// `NSUndoManagerDidOpenUndoGroup`.
  open func beginUndoGrouping() {
    begin()
  }

  /// Closes the innermost group. It stays to be undone even if it is empty. Traps if none is open.
  ///
  /// Posts `NSUndoManagerCheckpoint` and `NSUndoManagerWillCloseUndoGroup` before,
  /// `NSUndoManagerDidCloseUndoGroup` after.
  open func endUndoGrouping() {
    trap(on: misuseOfEnd, in: "endUndoGrouping")
    closeInnermostGroup()
  }

  /// The most top-level groups kept; 0, the default, for no limit. Lowering it drops the oldest at
  /// once.
  open var levelsOfUndo: Int {
    get { undoStack.limit }
    set {
      undoStack.limit = newValue
      redoStack.limit = newValue
    }
  }

  // MARK: Registration

  /// Stops registration until `enableUndoRegistration()` has been called as often as this.
  open func disableUndoRegistration() {
    disableCount += 1
  }

  /// Takes back one `disableUndoRegistration()`. Traps without one.
  open func enableUndoRegistration() {
    trap(on: misuseOfEnable, in: "enableUndoRegistration")
    disableCount -= 1
  }

  /// Whether registrations are recorded. True at first.
  open var isUndoRegistrationEnabled: Bool { disableCount == 0 }

  /// Forgets everything, closes all groups and enables registration again.
  open func removeAllActions() {
    removeEverything()
    disableCount = 0
  }

  /// Forgets the actions of the target, and the groups that are empty for that. Does not enable
  /// registration. O(n) in the number of actions.
  open func removeAllActions(withTarget target: Any) {
    removeActions(of: ObjectIdentifier(target as AnyObject))
  }

  // MARK: Undoing

  /// Undoes the last top-level group, after closing it if it is open. Does nothing if there is none.
  ///
  /// Traps if more than one group is open, and while undoing or redoing. Posts
  /// `NSUndoManagerCheckpoint` and `NSUndoManagerWillUndoChange` before, `NSUndoManagerDidUndoChange`
  /// after.
  open func undo() {
    trap(on: misuseOfUndo, in: "undo")
    postCheckpoint()
    if openGroups.count == 1 { closeInnermostGroup() }
    if let group = takeGroupToUndo() { undo(group) }
  }

  /// Undoes the last closed group, nested or not, and records it as one group to redo.
  ///
  /// The group of the event may be open around it. Traps while undoing or redoing, and if the last
  /// thing in the open group is not a group. Posts as `undo()` does.
  open func undoNestedGroup() {
    trap(on: misuseWhileChanging, in: "undoNestedGroup")
    postCheckpoint()
    trap(on: misuseOfUndoNestedGroup, in: "undoNestedGroup")
    if let group = takeGroupToUndo() { undo(group) }
  }

  /// Does again what was undone last, and records it as one group to undo: in the group that is
  /// open, if one is. Does nothing if there is none.
  ///
  /// Traps while undoing or redoing. Posts `NSUndoManagerCheckpoint` and
  /// `NSUndoManagerWillRedoChange` before, `NSUndoManagerDidRedoChange` after.
  open func redo() {
    trap(on: misuseWhileChanging, in: "redo")
    postCheckpoint()
    if let group = redoStack.pop() { redo(group) }
  }

  /// Whether there is something to undo, in the open group too. An empty group that was closed
  /// counts.
  open var canUndo: Bool { undoCount > 0 }

  /// Whether there is something to redo. Posts `NSUndoManagerCheckpoint` first.
  open var canRedo: Bool {
    postCheckpoint()
    return redoCount > 0
  }

  /// How often `undo()` can be called before nothing is left to undo.
  open var undoCount: Int { undoStack.count + (pendingToUndo == nil ? 0 : 1) }

  /// How often `redo()` can be called before nothing is left to redo.
  open var redoCount: Int { redoStack.count }

  /// Whether an undo operation is under way.
  open var isUndoing: Bool { phase == .undoing }

  /// Whether a redo operation is under way.
  open var isRedoing: Bool { phase == .redoing }

  // MARK: Names

  /// Names the open group for the menu: "Delete" gives "Undo Delete". An empty name removes it.
  ///
  /// Opens the group of the event as a registration does. What is undone keeps its name for redo
  /// unless an action gives another. Traps outside a group with `groupsByEvent` off.
  open func setActionName(_ actionName: String) {
    editLabel(else: .noGroupToRegisterIn, in: "setActionName") { $0.name = actionName }
  }

  /// The name of what `undo()` would take back; empty if it has none or there is nothing.
  open var undoActionName: String { nextToUndo?.actionName ?? "" }

  /// The name of what `redo()` would do again; empty if it has none or there is nothing.
  open var redoActionName: String { redoStack.last?.actionName ?? "" }

  /// "Undo", with the action's name if there is one.
  open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

  /// "Redo", with the action's name if there is one.
  open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

  /// "Undo" and the name, in English; a subclass may translate it.
  open func undoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Undo" : "Undo \(actionName)"
  }

  /// "Redo" and the name, in English; a subclass may translate it.
  open func redoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Redo" : "Redo \(actionName)"
  }

  // MARK: Discardable groups and user info

  /// Says whether the open group may be lost when a document cannot be saved (a change of the
  /// selection, say). Traps outside a group with `groupsByEvent` off.
  open func setActionIsDiscardable(_ discardable: Bool) {
    editLabel(else: .noGroupToMarkDiscardable, in: "setActionIsDiscardable") {
      $0.isDiscardable = discardable
    }
  }

  /// Whether what `undo()` would take back is discardable; false if there is nothing.
  open var undoActionIsDiscardable: Bool { nextToUndo?.isDiscardable ?? false }

  /// Whether what `redo()` would do again is discardable; false if there is nothing.
  open var redoActionIsDiscardable: Bool { redoStack.last?.isDiscardable ?? false }

  /// Keeps a value of the app's own with the open group; nil removes it.
  open func setActionUserInfoValue(_ info: Any?, forKey key: UserInfoKey) {
    editLabel(else: .noGroupToRegisterIn, in: "setActionUserInfoValue") {
      $0.userInfo = $0.userInfo ?? [:]
      $0.userInfo?[key] = info
    }
  }

  /// The value kept with what `undo()` would take back.
  open func undoActionUserInfoValue(forKey key: UserInfoKey) -> Any? {
    nextToUndo?.userInfoValue(for: key)
  }

  /// The value kept with what `redo()` would do again.
  open func redoActionUserInfoValue(forKey key: UserInfoKey) -> Any? {
    redoStack.last?.userInfoValue(for: key)
  }
}
