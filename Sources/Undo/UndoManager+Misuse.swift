/// What a programmer can do wrong with an undo manager, in the words of Apple's exceptions
/// (`NSInternalInconsistencyException`).
enum UndoMisuse: String {
  case tooManyOpenGroups = "undo was called with too many nested undo groups"
  case noMatchingBegin = "endUndoGrouping called with no matching begin"
  case noGroupToRegisterIn = "must begin a group before registering undo"
  case noGroupToMarkDiscardable = "must begin a group before setting undo action discardability"
  case whileUndoing = "do not invoke this method while undoing"
  case whileRedoing = "do not invoke this method while redoing"
  case groupIsOpen = "call endUndoGrouping before calling this method"
  case noMatchingDisable =
    "enableUndoRegistration may only be invoked with matching call to disableUndoRegistration"
}

extension UndoManager {
  var misuseOfUndo: UndoMisuse? {
    misuseWhileChanging ?? (openGroups.count > 1 ? .tooManyOpenGroups : nil)
  }

  var misuseWhileChanging: UndoMisuse? {
    switch phase {
    case .recording: nil
    case .undoing: .whileUndoing
    case .redoing: .whileRedoing
    }
  }

  /// Only a group can be undone by itself: not actions of a group that is still open, except for
  /// the group of the event when it is empty, which hides nothing.
  var misuseOfUndoNestedGroup: UndoMisuse? {
    guard let innermost = openGroups.last else { return nil }
    if innermost.items.isEmpty { return innermost === eventGroup ? nil : .groupIsOpen }
    return innermost.items.last?.group == nil ? .groupIsOpen : nil
  }

  /// The group that collects an undo operation's counterpart was not begun by the caller.
  var misuseOfEnd: UndoMisuse? {
    openGroups.count > (phase == .recording ? 0 : 1) ? nil : .noMatchingBegin
  }

  var misuseOfEnable: UndoMisuse? {
    disableCount > 0 ? nil : .noMatchingDisable
  }

  /// The text of the trap: of Apple's form, with the method that was called wrongly.
  func text(of misuse: UndoMisuse, in method: String) -> String {
    let address = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
    return "\(method): NSUndoManager 0x\(String(address, radix: 16)) is in invalid state, "
      + misuse.rawValue
  }

  func trap(on misuse: UndoMisuse?, in method: String) {
    guard let misuse else { return }
    fatalError(text(of: misuse, in: method))
  }
}
