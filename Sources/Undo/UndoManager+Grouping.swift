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

  /// Closes the innermost group. The group of an event is dropped when nothing came of it; one that
  /// was begun explicitly stays, even empty.
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

  /// The group that a registration goes to, opened now if the event has none; nil if nothing may be
  /// opened.
  func groupForRegistration() -> UndoGroup? {
    if openGroups.isEmpty && groupsByEvent { openEventGroup() }
    return openGroups.last
  }

  /// Not posted again from within itself: who is being told already needs no second word, and an
  /// observer may look at `canRedo`.
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
