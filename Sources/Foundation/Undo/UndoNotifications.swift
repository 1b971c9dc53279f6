import Foundation

/// Notifications that an undo manager posts synchronously on the calling thread, with itself as the
/// object.
extension NSNotification.Name {
  /// Posted when the manager opens a nested group, closes a group, reads the redo stack in
  /// `canRedo`, or is about to undo or redo. Observers that hold changes back register them now:
  /// they then belong to the open group, which may be about to close.
  public static let NSUndoManagerCheckpoint = Self("NSUndoManagerCheckpointNotification")

  /// Posted after a group was opened, explicitly or by the first registration of an event.
  public static let NSUndoManagerDidOpenUndoGroup = Self(
    "NSUndoManagerDidOpenUndoGroupNotification")

  /// Posted before the innermost group closes. The user info has
  /// `NSUndoManagerGroupIsDiscardableKey` if the whole group is discardable.
  public static let NSUndoManagerWillCloseUndoGroup =
    Self("NSUndoManagerWillCloseUndoGroupNotification")

  /// Posted after a group was closed.
  public static let NSUndoManagerDidCloseUndoGroup =
    Self("NSUndoManagerDidCloseUndoGroupNotification")

  /// Posted before the manager undoes a group.
  public static let NSUndoManagerWillUndoChange = Self("NSUndoManagerWillUndoChangeNotification")

  /// Posted after the manager has undone a group.
  public static let NSUndoManagerDidUndoChange = Self("NSUndoManagerDidUndoChangeNotification")

  /// Posted before the manager redoes a group.
  public static let NSUndoManagerWillRedoChange = Self("NSUndoManagerWillRedoChangeNotification")

  /// Posted after the manager has redone a group.
  public static let NSUndoManagerDidRedoChange = Self("NSUndoManagerDidRedoChangeNotification")
}

/// A key of the user info of `NSUndoManagerWillCloseUndoGroup`. The value is an `NSNumber` with
/// `true` if the whole group is discardable; the key is absent otherwise.
public let NSUndoManagerGroupIsDiscardableKey = "NSUndoManagerGroupIsDiscardableKey"

/// The priority at which a run loop closes the group of an event: after everything else in the
/// event.
public let NSUndoCloseGroupingRunLoopOrdering = 350000
