import Foundation

/// What an undo manager posts, with itself as the object, synchronously, on the thread of the call.
extension NSNotification.Name {
  /// The manager opens or closes a group (not when it opens a top-level one), or looks at the redo
  /// stack in `canRedo`, or is about to undo or redo. Observers that keep changes back register them
  /// now: they then belong to the group that is open, which is the one about to close.
  public static let NSUndoManagerCheckpoint = Self("NSUndoManagerCheckpointNotification")

  /// A group was opened, explicitly or by the first registration of an event.
  public static let NSUndoManagerDidOpenUndoGroup = Self(
    "NSUndoManagerDidOpenUndoGroupNotification")

  /// The innermost group is about to close. The user info holds `NSUndoManagerGroupIsDiscardableKey`
  /// if the group as a whole is discardable.
  public static let NSUndoManagerWillCloseUndoGroup =
    Self("NSUndoManagerWillCloseUndoGroupNotification")

  /// A group was closed.
  public static let NSUndoManagerDidCloseUndoGroup =
    Self("NSUndoManagerDidCloseUndoGroupNotification")

  /// The manager is about to undo a group.
  public static let NSUndoManagerWillUndoChange = Self("NSUndoManagerWillUndoChangeNotification")

  /// The manager has undone a group.
  public static let NSUndoManagerDidUndoChange = Self("NSUndoManagerDidUndoChangeNotification")

  /// The manager is about to redo a group.
  public static let NSUndoManagerWillRedoChange = Self("NSUndoManagerWillRedoChangeNotification")

  /// The manager has redone a group.
  public static let NSUndoManagerDidRedoChange = Self("NSUndoManagerDidRedoChangeNotification")
}

/// The key of `NSUndoManagerWillCloseUndoGroup`'s user info whose value is an `NSNumber` with `true`
/// when the whole group is discardable; absent otherwise.
public let NSUndoManagerGroupIsDiscardableKey = "NSUndoManagerGroupIsDiscardableKey"

/// The priority at which a run loop closes the group of an event: after everything else in it.
public let NSUndoCloseGroupingRunLoopOrdering = 350000
