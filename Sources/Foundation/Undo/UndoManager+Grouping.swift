import Foundation

extension UndoManager {
  func begin() {
    if openGroups.isEmpty && groupsByEvent { openEventGroup() }
    if !openGroups.isEmpty { postCheckpoint() }
    open(UndoGroup())
  }

  func open(_ group: UndoGroup) {
    group.isOpen = true
    openGroups.last?.items.append(group)
    openGroups.append(group)
    post(.NSUndoManagerDidOpenUndoGroup)
  }

  /// Closes the innermost group. Drops the group of an event if it is empty; keeps an empty group
  /// that was begun explicitly.
  func closeInnermostGroup() {
    guard let group = openGroups.last else { return }
    postCheckpoint()
    let isDiscardable = group.isDiscardable
    post(
      .NSUndoManagerWillCloseUndoGroup,
      userInfo: isDiscardable
        ? [NSUndoManagerGroupIsDiscardableKey: NSNumber(value: true)] : nil)
    // An observer may have removed everything.
    guard openGroups.last === group else { return }
    store(group)
    post(.NSUndoManagerDidCloseUndoGroup)
    scheduleEndOfEventIfNeeded()
  }

  private func store(_ group: UndoGroup) {
    openGroups.removeLast()
    group.isOpen = false
    let isTopLevel = openGroups.isEmpty
    let isEmptyEvent = group === eventGroup && group.items.isEmpty
    if group === eventGroup { forgetEventGroup() }
    if isTopLevel && !isEmptyEvent { undoStack.push(group) }
  }

  /// The group for a registration. Opens the group of the event if necessary; nil if no group is
  /// open and `groupsByEvent` is off.
  func groupForRegistration() -> UndoGroup? {
    if openGroups.isEmpty && groupsByEvent { openEventGroup() }
    return openGroups.last
  }

  /// Posts `NSUndoManagerCheckpoint`, except from within its own observers: they may read
  /// `canRedo`, which posts it too.
  func postCheckpoint() {
    guard !isPostingCheckpoint else { return }
    isPostingCheckpoint = true
    defer { isPostingCheckpoint = false }
    post(.NSUndoManagerCheckpoint)
  }

  func post(_ name: NSNotification.Name, userInfo: [AnyHashable: Any]? = nil) {
    NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
  }
}
