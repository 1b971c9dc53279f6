/// Programming errors in the use of an undo manager, with the texts of Apple's exceptions
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

  /// Only a closed group can be undone by itself. The actions of an open group cannot. An open,
  /// empty group of the event does no harm: the last top-level group is undone.
  var misuseOfUndoNestedGroup: UndoMisuse? {
    guard let innermost = openGroups.last else { return nil }
    if innermost.items.isEmpty { return innermost === eventGroup ? nil : .groupIsOpen }
    return innermost.items.last?.group == nil ? .groupIsOpen : nil
  }

  /// Leaves out the group that collects the counterparts during an undo or redo: the caller has not
  /// begun it.
  var misuseOfEnd: UndoMisuse? {
    openGroups.count > (phase == .recording ? 0 : 1) ? nil : .noMatchingBegin
  }

  var misuseOfEnable: UndoMisuse? {
    disableCount > 0 ? nil : .noMatchingDisable
  }

  /// The text of the trap in the form of Apple's exceptions, with the method that was called
  /// wrongly.
  func text(of misuse: UndoMisuse, in method: String) -> String {
    // Only the address is used, for the text; the object is alive because it is `self`.
    let address = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
    return "\(method): NSUndoManager 0x\(String(address, radix: 16)) is in invalid state, "
      + misuse.rawValue
  }

  func trap(on misuse: UndoMisuse?, in method: String) {
    guard let misuse else { return }
    fatalError(text(of: misuse, in: method))
  }
}
